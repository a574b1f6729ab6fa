# --color, then NO_COLOR, then CLICOLOR_FORCE, then whether it is a terminal
echo '{ lambda ; a:f32[]. let b:f32[] = sin q in (b,) }' > program
coloured() { if grep -q "$(printf '\033')"; then echo "$1: coloured"; else echo "$1: plain"; fi; }
"$JAXPR" check program | coloured 'not a terminal'
"$JAXPR" check --color=always program | coloured '--color=always'
NO_COLOR=1 "$JAXPR" check --color=always program | coloured 'NO_COLOR --color=always'
CLICOLOR_FORCE=1 "$JAXPR" check program | coloured 'CLICOLOR_FORCE'
CLICOLOR_FORCE=1 NO_COLOR=1 "$JAXPR" check program | coloured 'CLICOLOR_FORCE NO_COLOR'
CLICOLOR_FORCE=1 NO_COLOR= "$JAXPR" check program | coloured 'CLICOLOR_FORCE, NO_COLOR empty'
CLICOLOR_FORCE=1 "$JAXPR" check --color=never program | coloured 'CLICOLOR_FORCE --color=never'
"$JAXPR" check --color=always --format=gcc program | coloured '--format=gcc'
