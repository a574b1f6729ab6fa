# files are written completely or not at all; links stay links, and modes and owners are kept
printf '{ lambda ; a:f32[]. let b:f32[]   = sin a in (b,) }\n' > text
cp text owned; chmod 640 owned; ln -s owned link
"$JAXPR" fmt -w link; test -L link && stat -c %a owned; cat owned
cp text one; ln one two
"$JAXPR" fmt -w one || echo "exit $?"; cmp one text
mkfifo pipe; cat text > pipe & "$JAXPR" fmt -w pipe || echo "exit $?"; wait
chmod 440 text; cp -p text kept; "$JAXPR" report -o page text; stat -c %a page; ls -l page | cut -c1-1
"$JAXPR" report -o nowhere/page text || echo "exit $?"
"$JAXPR" report -o /dev/fd/1 text | head -1
# no two programs get the same file name, no file is hidden, and links are not followed
mkdir a sub; cp text a/b.log; printf '{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }\n' > a_b.log; cp text x.log; cp text .dot
(cd sub; "$JAXPR" extract -o ../out ../x.log ../a/b.log ../a_b.log ../.dot a%2Fb.log ./../x.log 2> /dev/null; ls -A ../out)
"$JAXPR" extract -o out a/b.log a_b.log; cat out/a%2Fb.log-1-1.jaxpr out/a_b.log-1-1.jaxpr
mkdir piped; cp x.log piped/in.log; cp x.log '<stdin>'
for files in "<stdin> -" "- . --stdin-filename=x.log" "piped - --stdin-filename=./piped/in.log" "piped/ - --stdin-filename=piped/in.log"; do
    "$JAXPR" extract -o both $files < a_b.log || echo "exit $?"
done
"$JAXPR" extract -o both piped - --stdin-filename=piped/other.log < a_b.log; ls both
mkdir linked; echo precious > precious; ln -s ../precious linked/x.log-1-1.jaxpr
"$JAXPR" extract -o linked x.log || echo "exit $?"; cat precious
find . -name '*.jaxpr-*'
