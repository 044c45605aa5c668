//! The functions of the C library, of POSIX and of glibc, by name.
//!
//! Whoever declares them by hand means the same functions as whoever includes their header. What
//! they return is not arbitrary, but not modelled either: `library` has those that are.

/// Functions of C11 (7.1 to 7.30) and of POSIX.1-2008, and some of glibc.
const NAMES: &str = "
    a64l abs accept access aio_read aio_write alarm aligned_alloc alphasort asctime asctime_r asprintf at_quick_exit
    atof atoi atol atoll atoq basename bcmp bcopy bind bindtextdomain brk bsearch btowc bzero c16rtomb c32rtomb
    catclose catgets catopen cfgetispeed cfsetispeed chdir chmod chown chroot clearenv clearerr clock clock_getres
    clock_gettime clock_nanosleep clock_settime close closedir confstr connect creat crypt ctermid ctime ctime_r
    cuserid daemon dcgettext dgettext difftime dirfd dirname div dlclose dlerror dlopen dlsym dprintf drand48 dup dup2
    dup3 ecvt endgrent endpwent erand48 err errx error execle execlp execvp explicit_bzero faccessat fchdir fchmod
    fchmodat fchown fchownat fclose fcntl fcvt fdatasync fdopen fdopendir feof ferror fexecve fflush ffs ffsl ffsll
    fgetc fgetpos fgets fgetwc fgetws fileno flock flockfile fmemopen fnmatch fopen fopen64 fpathconf fprintf fputc
    fputs fputwc fputws fread freeaddrinfo freelocale freopen frexp fscanf fseek fseeko fsetpos fstat fstatat
    fstatvfs fsync ftell ftello ftok ftruncate ftrylockfile ftw funlockfile fwide fwprintf fwrite fwscanf
    gai_strerror gcvt get_nprocs getaddrinfo getauxval getc getc_unlocked getchar getchar_unlocked getcwd getdate
    getdelim getegid getenv geteuid getgid getgrent getgrgid getgrnam getgroups gethostbyaddr gethostbyname
    gethostid gethostname getitimer getline getlogin getlogin_r getnameinfo getopt getopt_long getpagesize getpass
    getpeername getpgid getpgrp getpid getppid getpriority getpwent getpwnam getpwuid getrandom getrlimit getrusage
    gets getservbyname getservbyport getsid getsockname getsockopt getsubopt gettext gettimeofday getuid getwc
    getwchar glob globfree gmtime gmtime_r grantpt hcreate hdestroy hsearch htonl htons iconv iconv_close iconv_open
    if_indextoname if_nametoindex imaxabs imaxdiv index inet_addr inet_aton inet_ntoa inet_ntop inet_pton
    initgroups initstate insque ioctl isalnum isalpha isascii isatty isblank iscntrl isdigit isgraph islower isprint
    ispunct isspace isupper iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint
    iswpunct iswspace iswupper iswxdigit isxdigit jrand48 kill killpg l64a labs lchown lcong48 ldiv lfind link
    linkat listen llabs lldiv localeconv localtime localtime_r lockf lrand48 lsearch lseek lseek64 lstat madvise
    mallinfo malloc_usable_size mblen mbrlen mbrtoc16 mbrtoc32 mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc
    memalign memccpy memchr memcmp memcpy memfrob memmem memmove mempcpy memrchr memset mincore mkdir mkdirat
    mkdtemp mkfifo mkfifoat mknod mknodat mkostemp mkstemp mktemp mktime mlock mlockall mmap mmap64 mount mprotect
    mq_close mq_open mq_receive mq_send mrand48 mremap msgctl msgget msgrcv msgsnd msync munlock munlockall munmap
    nanosleep newlocale nftw ngettext nice nl_langinfo nrand48 ntohl ntohs open open64 open_memstream openat opendir
    openlog openpty pathconf pause pclose perror pipe pipe2 poll popen posix_fadvise posix_fallocate posix_memalign
    posix_openpt posix_spawn ppoll prctl pread pread64 printf pselect psiginfo psignal
    pthread_attr_destroy pthread_attr_init pthread_cancel pthread_cond_broadcast pthread_cond_destroy
    pthread_cond_init pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_detach pthread_equal
    pthread_getspecific pthread_join pthread_key_create pthread_kill pthread_mutex_destroy pthread_mutex_init
    pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock pthread_once
    pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock pthread_rwlock_unlock pthread_rwlock_wrlock
    pthread_self pthread_setspecific pthread_sigmask pthread_spin_lock pthread_spin_unlock ptrace ptsname putc
    putc_unlocked putchar putchar_unlocked putenv puts putw putwc putwchar pwrite pwrite64 qgcvt raise rand_r
    rawmemchr read readdir readdir_r readlink readlinkat readv reallocarray realpath recv recvfrom recvmsg regcomp
    regerror regexec regfree remove remque rename renameat rewind rewinddir rindex rmdir sbrk scandir scanf
    sched_getparam sched_setscheduler sched_yield secure_getenv seed48 seekdir select sem_close sem_destroy
    sem_getvalue sem_init sem_open sem_post sem_timedwait sem_trywait sem_unlink sem_wait semctl semget semop send
    sendfile sendmsg sendto setbuf setbuffer setegid setenv seteuid setgid setgrent setgroups sethostname setitimer
    setlinebuf setlocale setlogmask setpgid setpgrp setpriority setpwent setregid setresgid setresuid setreuid
    setrlimit setsid setsockopt setstate setuid setvbuf shm_open shm_unlink shmat shmctl shmdt shmget shutdown
    sigaddset sigdelset sigemptyset sigfillset siginterrupt sigismember sigpending sigprocmask sigqueue sigsuspend
    sigtimedwait sigwait sigwaitinfo sleep snprintf socket socketpair sprintf srand srand48 srandom sscanf stat
    statfs statvfs stpcpy stpncpy strcasecmp strcasecmp_l strcasestr strcat strchr strchrnul strcmp strcoll strcpy
    strcspn strdup strerror strerror_r strfmon strfry strftime strlcat strlcpy strlen strncasecmp strncat strncmp
    strncpy strndup strnlen strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok
    strtok_r strtol strtold strtoll strtoq strtoul strtoull strtoumax strtouq strverscmp strxfrm swab swprintf
    swscanf symlink symlinkat sync syscall sysconf sysinfo syslog system tcdrain tcflow tcflush tcgetattr tcgetpgrp
    tcsendbreak tcsetattr tcsetpgrp tdelete telldir tempnam textdomain tfind thrd_current thrd_detach thrd_equal
    thrd_exit thrd_join thrd_sleep thrd_yield time timegm timer_create timer_delete timer_gettime timer_settime
    times timespec_get tmpfile tmpfile64 tmpnam toascii tolower toupper towctrans towlower towupper truncate tsearch
    ttyname ttyname_r twalk tzset ualarm umask umount uname ungetc ungetwc unlink unlinkat unlockpt unsetenv
    uselocale usleep utime utimensat utimes vasprintf vdprintf verr verrx vfprintf vfscanf vfwprintf vfwscanf
    vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vsyslog vwarn vwarnx vwprintf vwscanf wait wait3
    wait4 waitid waitpid warn warnx wcpcpy wcpncpy wcrtomb wcscasecmp wcscat wcschr wcscmp wcscoll wcscpy wcscspn
    wcsdup wcsftime wcslen wcsncasecmp wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn
    wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wcstoumax wcswidth
    wcsxfrm wctob wctomb wctrans wctype wcwidth wmemchr wmemcmp wmemcpy wmemmove wmempcpy wmemset wordexp wordfree
    wprintf write writev wscanf
    fegetround fesetround feclearexcept feraiseexcept fetestexcept fegetenv fesetenv feholdexcept feupdateenv
";

/// Those of `math.h`, which have two relatives each: `sinf` and `sinl`.
const MATH: &str = "
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma
    fmax fmin fmod hypot ilogb isinf isnan finite ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround
    modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalb scalbln scalbn sin sincos sinh sqrt
    tan tanh tgamma trunc j0 j1 jn y0 y1 yn
";

/// Whether the system, or the compiler, has a function of that name.
pub(super) fn is_of_system(name: &str) -> bool {
    let is_among = |names: &str, name: &str| names.split_ascii_whitespace().any(|known| known == name);
    // Headers give some of them other names for the linker.
    let name = ["__isoc99_", "__isoc23_", "__xpg_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let relative = name.strip_suffix(['f', 'l']).unwrap_or(name);
    name.starts_with("__builtin_") || is_among(NAMES, name) || is_among(MATH, name) || is_among(MATH, relative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_library_are_known_and_others_are_not() {
        for name in ["atoi", "strtoul", "sprintf", "isblank", "mempcpy", "sqrtf", "__builtin_popcountl"] {
            assert!(is_of_system(name), "{name}");
        }
        for name in ["read_sensor", "readl", "strings", "get_input", "", "f"] {
            assert!(!is_of_system(name), "{name}");
        }
    }

    #[test]
    fn no_name_is_listed_twice() {
        let mut names: Vec<&str> = NAMES.split_ascii_whitespace().chain(MATH.split_ascii_whitespace()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
