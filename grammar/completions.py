#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the completions of a shell from options.def.

    completions.py bash|zsh|fish OPTIONS_DEF > FILE

Verbs, options and the words an option takes are those of the table; the words are taken from the option's help, `text or
json`. Whatever is added to the table is completed."""

import re
import sys

PATHS = set()


def strings(text):
    """the C string literals at the beginning of text, joined"""
    return "".join(part.replace('\\"', '"').replace("\\n", " ") for part in re.findall(r'"((?:\\.|[^"\\])*)"', text))


def words(argument, help_text):
    """the words an option's value can be, as its help lists them; none where it lists none"""
    if argument not in ("FORMAT", "KEY", "KIND", "NAME", "WHEN"):
        return []
    text = help_text.split(": ", 1)[-1]
    items = re.split(r", | or ", text) if "," in text or len(text.split()) == 3 else text.replace(" or ", " ").split()
    return [item.split()[-1] for item in items] if len(items) > 1 and (" or " in text or "," in text) else []


def read_table(path):
    """({verb: summary}, [(letter, name, argument, verbs, help, values)]), one for each help of an option; and adds the
    arguments that are paths to PATHS"""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    ids, verbs, options, helps, rows = {}, {}, [], {}, 0
    for row in re.finditer(r'^VERB\((\w+), \w+, "(\w+)", "[^"]*", "([^"]*)"', text, re.M):
        ids[row[1]] = row[2]
        verbs[row[2]] = row[3]
    PATHS.update(re.findall(r'^ARGUMENT\("(\w+)", path\)$', text, re.M))
    groups = {m[1]: m[2] for m in re.finditer(r"^#define (\w+) (\(.*\))$", text, re.M)}
    pattern = r"^OPTION\((\w+), ('.'|0), \"([\w-]+)\", (NULL|\"[^\"]*\"), (.*?), (\"(?:\\.|[^\"\\])*\")\)$"
    for row in re.finditer(r"^HELP\((\w+), (.*?), (\".*\")\)$", text, re.M):
        helps.setdefault(row[1], []).append(([ids[m] for m in re.findall(r"ON\((\w+)\)", row[2])], strings(row[3])))
    for row in re.finditer(pattern, text, re.M):
        rows += 1
        on = groups.get(row[5].strip(), row[5])
        takes = list(verbs) if on == "EVERY" else [ids[m] for m in re.findall(r"ON\((\w+)\)", on)]
        argument = None if row[4] == "NULL" else row[4].strip('"')
        others = helps.pop(row[1], [])
        takes = [verb for verb in takes if not any(verb in of for of, _ in others)]
        for of, said in [(takes, strings(row[6])), *others]:
            options.append((row[2].strip("'0"), row[3], argument, of, said, words(argument, said)))
    if not verbs or not options or not PATHS or helps or rows != text.count("\nOPTION("):
        sys.exit(f"{path}: a row has a form that is not known here")
    return verbs, options


def of_verb(options, verb):
    return [o for o in options if verb in o[3]]


def is_path(argument):
    return argument in PATHS


def bash(verbs, options):
    print("_jaxpr()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} "
          "option= words=\n    COMPREPLY=()")
    print("    if [ \"$COMP_CWORD\" -eq 1 ]; then")
    print(f"        mapfile -t COMPREPLY < <(compgen -W '{' '.join(verbs)} --help --version' -- \"$word\")\n        return\n    fi")
    print("    # `=` is a word of its own\n    if [ \"$before\" = = ]; then\n        option=${COMP_WORDS[COMP_CWORD - 2]}")
    print("    elif [ \"$word\" = = ]; then\n        option=$before word=\n    else\n        option=$before\n    fi")
    print("    case $verb$option in")
    for verb in verbs:
        for letter, name, argument, _, _, values in of_verb(options, verb):
            forms = [f"{verb}--{name}"] + ([f"{verb}-{letter}"] if letter else [])
            if values:
                print(f"    {' | '.join(forms)}) words='{' '.join(values)}' ;;")
            elif argument and not is_path(argument):
                print(f"    {' | '.join(forms)}) return ;;")
    print("    esac\n    if [ -n \"$words\" ]; then\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n        return\n    fi")
    print("    if [ \"${word:0:1}\" = - ]; then\n        case $verb in")
    for verb in verbs:
        names = [f"--{o[1]}{'=' if o[2] else ''}" for o in of_verb(options, verb)]
        print(f"        {verb}) words='{' '.join(dict.fromkeys(names))}' ;;")
    print("        esac\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")")
    print("        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2> /dev/null\n        return\n    fi")
    print("    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n}\ncomplete -o filenames -F _jaxpr jaxpr")


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")


def zsh(verbs, options):
    print("#compdef jaxpr\n\nlocal curcontext=$curcontext state line\n_arguments -C '1: :->verb' '*:: :->rest'\ncase $state in\nverb)")
    print("    local -a verbs=(")
    for verb, summary in verbs.items():
        print(f"        '{verb}:{zsh_text(summary)}'")
    print("    )\n    _describe verb verbs\n    ;;\nrest)\n    case $line[1] in")
    for verb in verbs:
        print(f"    {verb})\n        _arguments -s \\")
        for letter, name, argument, _, said, values in of_verb(options, verb):
            action = f":{zsh_text(argument)}:" if argument else ""
            if values:
                action += f"({' '.join(values)})"
            elif is_path(argument):
                action += "_files"
            text = f"[{zsh_text(said)}]{action}"
            if letter:
                print(f"            '(-{letter} --{name})'{{-{letter}{'+' if argument else ''},--{name}{'=' if argument else ''}}}'{text}' \\")
            else:
                print(f"            '--{name}{'=' if argument else ''}{text}' \\")
        print("            '*:file:_files'\n        ;;")
    print("    esac\n    ;;\nesac")


def fish(verbs, options):
    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    print("complete -c jaxpr -n __fish_use_subcommand -f -l help -d 'print this help'")
    for verb, summary in verbs.items():
        print(f"complete -c jaxpr -n __fish_use_subcommand -f -a {verb} -d {quoted(summary)}")
    for verb in verbs:
        for letter, name, argument, _, said, values in of_verb(options, verb):
            line = f"complete -c jaxpr -n '__fish_seen_subcommand_from {verb}' -l {name}"
            line += f" -s {letter}" if letter else ""
            line += (" -x" if not is_path(argument) else " -r") if argument else ""
            line += f" -a {quoted(' '.join(values))}" if values else ""
            print(f"{line} -d {quoted(said)}")


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}

if len(sys.argv) != 3 or sys.argv[1] not in SHELLS:
    sys.exit(__doc__)
if sys.argv[1] != "zsh":  # whose first line is a tag
    print("# made by grammar/completions.py from options.def")
SHELLS[sys.argv[1]](*read_table(sys.argv[2]))
