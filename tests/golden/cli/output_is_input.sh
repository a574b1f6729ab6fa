# no verb that writes files of its own replaces a file that it reads, whatever its path is
program='{ lambda ; a:f32[3]. let b:f32[3] = neg a in (b,) }'
mkdir logs
printf 'log\n%s\n' "$program" > logs/log.txt
printf 'notes\n%s\n' "$program" | sed 's/neg/sin/' > logs/log.txt-2-1.jaxpr
cp -r logs before
cd logs || exit
"$JAXPR" extract -o . log.txt log.txt-2-1.jaxpr
echo "exit $?"
"$JAXPR" extract -o ../logs .
echo "exit $?"
"$JAXPR" report -o ./log.txt-2-1.jaxpr log.txt ../logs/log.txt-2-1.jaxpr
echo "exit $?"
"$JAXPR" report -o log.txt --highlight-diff=../logs/log.txt log.txt-2-1.jaxpr
echo "exit $?"
cd .. || exit
diff -r logs before
