# a page about no file is not written
"$JAXPR" report -o page.html none.jaxpr
echo "$?"
ls
