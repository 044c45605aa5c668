# A solver that interpolates x and y, y implies z, not z in the ways of several solvers.
while IFS= read -r line; do
    case $line in
    *'(compute-interpolant'*) printf 'unsat\ny\nz\n' ;;
    '(check-sat)'*) echo unsat ;;
    *'(get-interpolants part!0 part!1 part!2)'*) echo '(y z)' ;;
    *'(get-interpolant (part!0))'*) echo y ;;
    *'(get-interpolant (part!0 part!1))'*) echo z ;;
    *'(get-interpolant part!0 '*) echo '(define-fun part!0 () Bool y)' ;;
    *'(get-interpolant part!1 '*) echo '(define-fun part!1 () Bool z)' ;;
    '(echo '*)
        mark=${line#*\"}
        echo "${mark%%\"*}"
        ;;
    esac
done
