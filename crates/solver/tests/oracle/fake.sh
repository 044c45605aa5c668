# A solver that answers four questions about x and y, and misbehaves at one of them.
# $1: a folder for what it remembers; $2: at which question; $3: how.
echo $$ >> "$1/pids"
while IFS= read -r line; do
    case $line in
    '(echo '*)
        mark=${line#*\"}
        echo "${mark%%\"*}"
        ;;
    '(check-sat'*)
        count=$(cat "$1/count" 2>/dev/null || echo 0)
        count=$((count + 1))
        echo $count > "$1/count"
        names=${line#*assuming }
        names=${names%)}
        case $count in
        1 | 3) answer=sat ;;
        *) answer=unsat ;;
        esac
        mood=good
        [ $count = "$2" ] && mood=$3
        case $mood in
        unknown) answer=unknown ;;
        hang) sleep 1000 ;;
        hang-twice)
            trap '' TERM INT HUP
            sleep 1000 &
            wait
            sleep 1000
            ;;
        garbage) answer='Segmentation fault (core dumped)' ;;
        close) answer=')' ;;
        binary) answer=$(printf '\377\376 sat') ;;
        both) answer='sat
unsat' ;;
        mumble) answer="; thinking
$answer" ;;
        error) answer='(error "line 3: out of cheese")' ;;
        flood) while :; do echo '((((((((((((((('; done ;;
        die) exit 3 ;;
        killed) kill -KILL $$ ;;
        deaf) exec <&- ;;
        mute)
            exec >&-
            sleep 1000
            ;;
        esac
        [ "$mood" = silence ] || echo "$answer"
        ;;
    '(get-value'*)
        case $mood in
        wrong-model) echo '((x false) (y false))' ;;
        no-model) echo '(error "no model")' ;;
        odd-model) echo '((x maybe) (y true))' ;;
        die-later) exit 0 ;;
        *) case $count in
            1) echo '((x true))' ;;
            *) echo '((x true) (y true))' ;;
            esac ;;
        esac
        ;;
    '(get-unsat-assumptions'*)
        case $mood in
        bad-core) echo '(((' ; echo '; no end' ;;
        odd-core) echo '(banana 7)' ;;
        foreign-core) echo '(banana)' ;;
        no-core) echo unsupported ;;
        die-later) exit 0 ;;
        *) echo "$names" ;;
        esac
        ;;
    '(set-logic ALL)') [ "$3" = narrow ] && echo '(error "ALL is no logic")' ;;
    '(set-logic QF_UF)') echo narrow > "$1/logic" ;;
    '(get-info'*) echo '(:reason-unknown "out of ideas")' ;;
    esac
done
