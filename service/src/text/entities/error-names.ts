const list = (names: string) => new Set(names.split(/\s+/));

/** Error codes of systems and tools that no pattern covers. */
export const CODES = list(
  `EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN EWOULDBLOCK ENOMEM EACCES EFAULT EBUSY EEXIST
  EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE
  EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP ENOMSG EPROTO EOVERFLOW EILSEQ EUSERS ENOTSOCK EDESTADDRREQ
  EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ENOTSUP EOPNOTSUPP EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN
  ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETIMEDOUT ETIMEOUT ECONNREFUSED
  EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EDQUOT ECANCELED ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NONAME
  ERESOLVE EUSAGE ELIFECYCLE EINTEGRITY ETARGET EJSONPARSE EBADENGINE EBADPLATFORM E401 E403 E404 E429 E500 ENEEDAUTH
  ENOLOCK EMISSINGENV EPUBLISHCONFLICT ENOWORKSPACES EOTP ENOVERSIONS ENOGIT EUNSUPPORTEDPROTOCOL EINVALIDTAGNAME
  EUNSUPPORTEDENGINE ESOCKETTIMEDOUT ESOCKET EAUTH EENVELOPE ESERVFAIL EREFUSED EFORMERR NXDOMAIN SERVFAIL
  CrashLoopBackOff ImagePullBackOff ErrImagePull ErrImageNeverPull InvalidImageName OOMKilled CreateContainerConfigError
  CreateContainerError RunContainerError ContainerCannotRun FailedScheduling FailedMount FailedAttachVolume NodeNotReady
  AccessDenied AccessDeniedException ThrottlingException Throttling SlowDown RequestTimeTooSkewed SignatureDoesNotMatch
  InvalidAccessKeyId ExpiredToken UnauthorizedOperation InsufficientInstanceCapacity KeyboardInterrupt StopIteration
  StopAsyncIteration SystemExit GeneratorExit
  ReadTimeout ConnectTimeout ConnectionTimeout`,
);

/** Names of signals without `SIG`. */
export const SIGNALS = list(
  `HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 USR2 SEGV PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU
  XFSZ VTALRM PROF WINCH IO POLL PWR SYS IOT`,
);

/** The phrases that follow a status of HTTP, in lower case. */
export const STATUS_PHRASES: Record<number, string[]> = {
  100: ["continue"],
  101: ["switching protocols"],
  103: ["early hints"],
  200: ["ok"],
  201: ["created"],
  202: ["accepted"],
  203: ["non-authoritative information"],
  204: ["no content"],
  205: ["reset content"],
  206: ["partial content"],
  207: ["multi-status"],
  300: ["multiple choices"],
  301: ["moved permanently"],
  302: ["found", "moved temporarily"],
  303: ["see other"],
  304: ["not modified"],
  305: ["use proxy"],
  307: ["temporary redirect"],
  308: ["permanent redirect"],
  400: ["bad request"],
  401: ["unauthorized"],
  402: ["payment required"],
  403: ["forbidden"],
  404: ["not found"],
  405: ["method not allowed"],
  406: ["not acceptable"],
  407: ["proxy authentication required"],
  408: ["request timeout", "request time-out"],
  409: ["conflict"],
  410: ["gone"],
  411: ["length required"],
  412: ["precondition failed"],
  413: ["payload too large", "content too large", "request entity too large"],
  414: ["uri too long", "request-uri too long", "request-uri too large"],
  415: ["unsupported media type"],
  416: ["range not satisfiable", "requested range not satisfiable"],
  417: ["expectation failed"],
  418: ["i'm a teapot", "i’m a teapot"],
  421: ["misdirected request"],
  422: ["unprocessable entity", "unprocessable content"],
  423: ["locked"],
  424: ["failed dependency"],
  425: ["too early"],
  426: ["upgrade required"],
  428: ["precondition required"],
  429: ["too many requests"],
  431: ["request header fields too large"],
  451: ["unavailable for legal reasons"],
  499: ["client closed request"],
  500: ["internal server error"],
  501: ["not implemented"],
  502: ["bad gateway"],
  503: ["service unavailable", "service temporarily unavailable"],
  504: ["gateway timeout", "gateway time-out"],
  505: ["http version not supported"],
  507: ["insufficient storage"],
  508: ["loop detected"],
  511: ["network authentication required"],
};
