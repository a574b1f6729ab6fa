# 0: no findings; 1: findings or a difference; 2: a failure; the highest of several files counts
printf '{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n' > clean
printf '{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }\n' > unbound
printf '{ lambda ; a:f32[]. let b:f32[] = = a in (b,) }\n' > broken
printf '{ lambda ; a:f32[]. let\n    b:f32[] = sin a\n  in (b,) }\n' > loose
mkdir directory
try() { "$JAXPR" "$@" > out 2> err; echo "$? $*"; }
try check clean
try check unbound
try check broken
try check nowhere
try check directory
try check clean unbound nowhere
try check --exit-zero unbound
try check --exit-zero nowhere
try check --quiet unbound
try check --format=json unbound
try check --format=sarif clean
try fmt loose
try fmt unbound
try fmt broken
try fmt --check clean
try fmt --check loose
try fmt -l loose
try fmt -d loose
try fmt -w loose
try stats unbound
try stats broken
try json broken
try explain S012
try explain unbound-variable
try explain X999
try
try nonsense
try check --nonsense clean
try check --format=nonsense clean
try check --color=nonsense clean
try check --max-findings=x clean
try check --max-findings=99999999999 clean
try fmt --width=0 clean
try fmt --width
try --help
try --version
try check --help
try fmt -V
