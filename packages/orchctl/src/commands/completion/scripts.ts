/**
 * Bash 3.2 and newer, which splits words at `=` and `:`: they are joined, and the prefix is removed from the
 * completions.
 */
const bash = `# Completion of orchctl for bash. Load it with: source <(orchctl completion bash)
_orchctl() {
  local words=() part previous='' count=0 i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    part=\${COMP_WORDS[i]}
    if ((count > 0)) && [[ $part == [=:]* || $previous == [=:]* ]]; then
      words[count - 1]+=$part
    else
      words[count]=$part
      count=$((count + 1))
    fi
    previous=$part
  done
  local current=\${words[count - 1]} output directive line prefix=''
  output=$("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null) || return
  directive=\${output##*:}
  case $current in
    *[=:]*) prefix=\${current%"\${current##*[=:]}"} ;;
  esac
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    if [[ $line == :* || -z $line ]]; then continue; fi
    COMPREPLY+=("\${line#"$prefix"}")
  done <<<"$output"
  if [[ $directive == files && \${#COMPREPLY[@]} -eq 0 ]]; then
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${current#"$prefix"}")
    compopt -o filenames 2>/dev/null
  elif [[ $directive == continues ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _orchctl orchctl
`;

const zsh = `#compdef orchctl
# Completion of orchctl for zsh. Load it with: source <(orchctl completion zsh)
_orchctl() {
  local output line directive
  local -a found described
  output=$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null) || return
  directive=\${output##*:}
  for line in "\${(@f)output}"; do
    [[ -z $line || $line == :* ]] && continue
    found+=("\${line%%$'\\t'*}")
    described+=("\${line/$'\\t'/  -- }")
  done
  if [[ $directive == files && \${#found} -eq 0 ]]; then
    _files
  elif [[ $directive == continues ]]; then
    compadd -S '' -l -d described -a found
  else
    compadd -l -d described -a found
  fi
}
if [[ "\${funcstack[1]}" == _orchctl ]]; then _orchctl "$@"; else compdef _orchctl orchctl; fi
`;

const fish = `# Completion of orchctl for fish. Load it with: orchctl completion fish | source
function __orchctl_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($before[1] __complete -- $before[2..-1] "$current" 2>/dev/null)
    for line in $lines
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c orchctl -e
complete -c orchctl -f -a '(__orchctl_complete)'
`;

/** The completion scripts by shell. */
export const completionScripts: Readonly<Partial<Record<string, string>>> = { bash, zsh, fish };
