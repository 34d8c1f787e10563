/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_GUARD_H
#define TEST_SUPPORT_GUARD_H

/* What must not be called is watched for in two independent ways: functions of this program that
 * take the place of the C library's allocator and locks and count their callers while armed, and a
 * child process in which any system call but the last one is deadly. To be included by one source
 * of a program, before everything else. */

#define _GNU_SOURCE /* RTLD_NEXT, syscall */

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <sys/wait.h>

/* ---- Allocations and locks ---------------------------------------------------------------- */

/* Volatile, for a compiler knows that the C library's malloc leaves a program's variables alone. */
typedef struct guard_record {
  volatile bool armed;
  volatile int calls;
  const char *volatile first; /* which function was called first */
} guard_record;

static guard_record guard;

static inline void guard_note(const char *function)
{
  if (!guard.armed)
    return;
  if (guard.calls == 0)
    guard.first = function;
  guard.calls = guard.calls + 1;
}

static inline void guard_arm(void)
{
  guard.calls = 0;
  guard.first = NULL;
  guard.armed = true;
}

/* How many forbidden calls there were since. */
static inline int guard_disarm(void)
{
  guard.armed = false;
  return guard.calls;
}

/* The sanitizers have an allocator and locks of their own, in the place where ours would go. */
#if defined(__has_feature)
#define GUARD_CLANG_SANITIZES                                             \
  (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
   __has_feature(memory_sanitizer))
#else
#define GUARD_CLANG_SANITIZES 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || GUARD_CLANG_SANITIZES
static const char *const guard_blind = "the sanitizer's allocator cannot be replaced";
#elif !defined(__GLIBC__)
static const char *const guard_blind = "only the GNU C library's allocator can be called behind";
#else
static const char *const guard_blind = NULL; /* why it sees nothing, or NULL when it sees */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

void *malloc(size_t size)
{
  guard_note("malloc");
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  guard_note("calloc");
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
  guard_note("realloc");
  return __libc_realloc(block, size);
}

void free(void *block)
{
  guard_note("free");
  __libc_free(block);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  guard_note("aligned_alloc");
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
  guard_note("posix_memalign");
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

/* A lock's function that counts and goes on to the next of that name, the C library's. */
#define GUARD_LOCK(function, lock_type)          \
  int function(lock_type *lock)                  \
  {                                              \
    static int (*next)(lock_type *);             \
    guard_note(#function);                       \
    if (!next) {                                 \
      void *found = dlsym(RTLD_NEXT, #function); \
      memcpy(&next, &found, sizeof next);        \
    }                                            \
    return next(lock);                           \
  }

GUARD_LOCK(pthread_mutex_lock, pthread_mutex_t)
GUARD_LOCK(pthread_mutex_trylock, pthread_mutex_t)
GUARD_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
GUARD_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
GUARD_LOCK(pthread_spin_lock, pthread_spinlock_t)
GUARD_LOCK(sem_wait, sem_t)
GUARD_LOCK(mtx_lock, mtx_t)
#endif

/* ---- System calls ------------------------------------------------------------------------- */

typedef enum guard_end {
  GUARD_QUIET,  /* the work ended, and was content */
  GUARD_FAILED, /* it ended, and was not */
  GUARD_KILLED, /* it made a system call, or crashed */
  GUARD_REFUSED /* this machine does not lock processes up */
} guard_end;

enum { GUARD_REFUSED_STATUS = 77 };

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

/* Strict mode leaves read, write and exit; where it is not to be had, a filter leaves exit. */
static inline bool guard_lock_up(void)
{
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0)
    return true;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
static inline bool guard_lock_up(void)
{
  return false;
}
#endif

/* Does the work in a child that is locked up first. Exit handlers would make system calls, so the
 * child ends without them. */
static inline guard_end guard_work(bool (*work)(void *), void *argument)
{
  int status = 0;
  pid_t child = fork();
  if (child < 0)
    return GUARD_REFUSED;
  if (child == 0) {
    if (guard_lock_up())
      syscall(SYS_exit, work(argument) ? 0 : 1);
    _exit(GUARD_REFUSED_STATUS);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return GUARD_KILLED;
  switch (WEXITSTATUS(status)) {
    case 0:
      return GUARD_QUIET;
    case GUARD_REFUSED_STATUS:
      return GUARD_REFUSED;
    default:
      return GUARD_FAILED;
  }
}

#endif
