# Completion of tidegauge for bash. It asks the program itself, so it knows the commands and flags of
# the version that is installed.
# shellcheck shell=bash

# _tidegauge_values HELP FLAG: what the help text says that the flag takes, one a line.
_tidegauge_values() {
  sed -nE "s/^ +(-[a-z],)?$2 [A-Z]+:\{([^}]*)\}.*/\2/p" <<<"$1" | tr ',' '\n'
}

_tidegauge_takes_value() { grep -qE "^ +(-[a-z],)?$2 [A-Z]" <<<"$1"; }

_tidegauge_commands() {
  sed -nE '/^Subcommands:/I,$s/^  ([a-z][a-z-]*) .*/\1/p' <<<"$1"
}

_tidegauge_flags() { sed -nE 's/^ +(-[a-z],)?(--[a-z][a-z.-]*).*/\2/p' <<<"$1"; }

_tidegauge_complete_value() {
  local help=$1 flag=$2 current=$3
  case $flag in
    *.file)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
    *.dir | *.mount | --output)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$(_tidegauge_values "$help" "$flag")" -- "$current") ;;
  esac
}

_tidegauge() {
  local current=${COMP_WORDS[COMP_CWORD]} flag='' word help index path=()
  help=$("$1" --help 2>/dev/null) || return 0
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; ++index)); do
    word=${COMP_WORDS[index]}
    if [[ $word == --* ]]; then
      flag=$word
    elif [[ $word == '=' ]]; then
      continue
    elif [[ -n $flag ]] && _tidegauge_takes_value "$help" "$flag"; then
      flag=
    elif _tidegauge_commands "$help" | grep -qxF -- "$word"; then
      path+=("$word") flag=
      help=$("$1" "${path[@]}" --help 2>/dev/null) || return 0
    fi
  done
  # bash cuts --flag=value into three words.
  [[ $current != '=' ]] || current=
  if [[ -n $flag ]] && _tidegauge_takes_value "$help" "$flag"; then
    _tidegauge_complete_value "$help" "$flag" "$current"
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_tidegauge_flags "$help")" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(_tidegauge_commands "$help")" -- "$current")
  fi
}

complete -F _tidegauge tidegauge
