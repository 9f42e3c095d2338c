/// A shell with completion: its script, and the format of its candidates.
enum Shell: String, CaseIterable, ArgumentValue {
    case bash, zsh, fish

    /// One candidate per line, as the shell's script expects it.
    func output(_ candidates: Candidates) -> String {
        guard case .words(let words) = candidates else { return "<files>\n" }
        return words.map { candidate in
            switch self {
            case .bash: candidate.word + "\n"
            case .zsh: "\(candidate.word):\(candidate.summary)\n"
            case .fish: "\(candidate.word)\t\(candidate.summary)\n"
            }
        }.joined()
    }

    func script(for program: String) -> String {
        switch self {
        case .bash: bashScript(for: program)
        case .zsh: zshScript(for: program)
        case .fish: fishScript(for: program)
        }
    }
}

/// The first line of a script.
private func loading(_ program: String, in shell: Shell) -> String {
    let file =
        switch shell {
        case .bash: "~/.bashrc"
        case .zsh: localized("~/.zshrc, after compinit", german: "~/.zshrc, nach compinit")
        case .fish: "~/.config/fish/config.fish"
        }
    return localized(
        "Completion of \(program) in \(shell). Load it by this line in \(file):",
        german: "Ergänzung von \(program) in \(shell). Laden Sie sie mit dieser Zeile in \(file):"
    )
}

private func bashScript(for program: String) -> String {
    #"""
    # \#(loading(program, in: .bash))
    #     source <(\#(program) completion bash)

    _\#(program)() {
        # bash also splits words at = and :, so the pieces are joined again.
        local rest=$COMP_LINE piece words=()
        for piece in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
            if [[ $rest == [[:space:]]* || ${#words[@]} == 0 ]]; then
                words+=("$piece")
            else
                words[-1]+=$piece
            fi
            rest=${rest#*"$piece"}
        done

        # If COMP_WORDBREAKS lacks =, a candidate replaces the name of the option, too.
        local word=${COMP_WORDS[COMP_CWORD]} prefix=
        if [[ $word == --*=* ]]; then prefix=${word%%=*}=; fi

        mapfile -t COMPREPLY < <(\#(program) completion bash -- "${words[@]:1}" 2>/dev/null)
        if [[ ${COMPREPLY[0]} == '<files>' && -n $prefix ]]; then
            mapfile -t COMPREPLY < <(compgen -f -- "${word#*=}")
            compopt -o filenames
        elif [[ ${COMPREPLY[0]} == '<files>' ]]; then
            COMPREPLY=()
            compopt -o default
        fi
        COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
    }
    complete -F _\#(program) \#(program)

    """#
}

/// The script can be sourced, or installed as the file `_countersign`, which zsh loads as a function.
private func zshScript(for program: String) -> String {
    #"""
    #compdef \#(program)
    # \#(loading(program, in: .zsh))
    #     source <(\#(program) completion zsh)

    _\#(program)() {
        local -a candidates
        candidates=(${(f)"$(\#(program) completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
        compset -P '--*='

        if [[ $candidates == '<files>' ]]; then
            _files
        else
            _describe \#(program) candidates
        fi
    }
    if [[ $funcstack[1] == _\#(program) ]]; then
        _\#(program)
    else
        compdef _\#(program) \#(program)
    fi

    """#
}

private func fishScript(for program: String) -> String {
    #"""
    # \#(loading(program, in: .fish))
    #     \#(program) completion fish | source

    function __\#(program)_candidates
        set -l last "$(commandline --current-token --cut-at-cursor)"
        set -l words (commandline --tokenize --current-process --cut-at-cursor)[2..] $last
        set -l candidates (\#(program) completion fish -- $words 2>/dev/null)

        # The value of an option follows the name and "=".
        set -l prefix (string match --regex -- '^--[^=]*=' $last; or echo)
        if test "$candidates" = '<files>'
            set candidates (__fish_complete_path (string replace -- "$prefix" '' $last))
        end

        printf '%s\n' $prefix$candidates
    end
    complete --command \#(program) --no-files --arguments '(__\#(program)_candidates)'

    """#
}
