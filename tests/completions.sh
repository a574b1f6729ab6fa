#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The completions offer every verb, every option of a verb and the words of its values, as the help lists them. Each
# installed shell completes as if the tab key were pressed.
#
#     completions.sh JAXPR DIRECTORY      DIRECTORY holds jaxpr (bash), _jaxpr (zsh) and jaxpr.fish
again="$0 $*"
jaxpr=$1 files=$2 wrong=0

complain()
{
    echo "$*"
    wrong=1
}

# shellcheck disable=SC1091
source "$files/jaxpr" || exit 1

# ask WORD...: prints what bash offers for the last word, one on each line
ask()
{
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _jaxpr 2> /dev/null
    printf '%s\n' "${COMPREPLY[@]}"
}

verbs=$("$jaxpr" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$verbs" ] || exit 2
[ "$(ask jaxpr '' | grep -v '^--' | sort)" = "$(sort <<< "$verbs")" ] || complain 'bash: not the verbs'
for verb in $verbs; do
    options=$("$jaxpr" "$verb" --help | sed -n -E 's/^  (-., |    )(--[a-z-]+=?).*/\2/p' | sort -u)
    [ "$(ask jaxpr "$verb" -- | sort -u)" = "$options" ] || complain "bash: not the options of $verb"
    for option in $options; do
        name=${option#--} name=${name%=}
        grep -q -- "__fish_seen_subcommand_from $verb' -l ${name}" "$files/jaxpr.fish" || complain "fish: $verb $option"
        grep -q -- "$option" "$files/_jaxpr" || complain "zsh: $verb $option"
    done
done
[ "$(ask jaxpr check --format = g | tr '\n' ' ')" = 'gcc github gitlab ' ] || complain 'bash: not the formats'
[ "$(ask jaxpr check --color a)" = "$(printf 'auto\nalways')" ] || complain 'bash: not the words of --color'
(cd "$files" && ask jaxpr check jaxpr.f | grep -qx jaxpr.fish) || complain 'bash: no files'

if command -v fish > /dev/null; then
    HOME=$(mktemp -d)
    export HOME
    offered()
    {
        fish --no-config -c "source $files/jaxpr.fish; complete -C '$1'" 2> /dev/null | cut -f 1
    }
    offered 'jaxpr chec' | grep -qx check || complain 'fish: not the verb check'
    offered 'jaxpr check --form' | grep -qx -- --format || complain 'fish: not --format'
    offered 'jaxpr check --format=git' | grep -qx -- --format=gitlab || complain 'fish: not the formats'
    rm -rf "$HOME"
else
    echo 'fish is not installed'
fi
if command -v zsh > /dev/null; then
    zsh -n "$files/_jaxpr" || complain 'zsh: syntax'
    # a pseudoterminal in which the tab key is pressed; a chroot may have none
    shown=$(FPATH_HERE=$(realpath "$files") zsh -f -c '
        wait_for() # wait_for PATTERN: prints what the terminal shows until the pattern is there, 20 s at most
        {
            local shown= piece
            for ((tries = 0; tries < 200; tries++)); do
                while zpty -r -t terminal piece; do shown+=$piece; done
                [[ $shown == *$~1* ]] && break
                sleep 0.1
            done
            print -rn -- "$shown"
            [[ $shown == *$~1* ]]
        }
        zmodload zsh/zpty && zpty terminal zsh -f -i || exit 1
        zpty -w terminal "PS1= ; fpath=($FPATH_HERE \$fpath); autoload -Uz compinit; compinit -u -D; unsetopt menu_complete auto_menu; setopt auto_list; print ready-\$((40 + 2))"
        wait_for ready-42 > /dev/null || exit 1
        zpty -n -w terminal "jaxpr check --format=gitl$(printf "\t")"
        wait_for "format=gitl*ab" || true' 2> /dev/null) || shown='no terminal'
    if [ "$shown" = 'no terminal' ]; then
        echo 'zsh gets no terminal here'
    else
        grep -q 'format=gitlab\|format=gitl.*ab' <<< "$shown" || complain 'zsh: --format=gitl is not completed'
    fi
else
    echo 'zsh is not installed'
fi
[ $wrong = 0 ] || echo "repeat: $again"
exit $wrong
