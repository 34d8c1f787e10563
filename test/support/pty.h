/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_SUPPORT_PTY_H
#define TEST_SUPPORT_PTY_H

/* A terminal for the command: a pseudoterminal, and of an emulator as much as the command uses.
 * Whoever includes this defines _XOPEN_SOURCE as 700 and _DEFAULT_SOURCE first. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "support/process.h"

#define PTY_COLUMNS 200
#define PTY_ROWS 80

typedef struct pty {
  int master, slave; /* the slave is kept open, to look at its settings */
  pid_t child;
  int columns, rows;
  struct termios before;
  /* the emulator */
  char screen[PTY_ROWS][PTY_COLUMNS + 1]; /* anything but ASCII is '@' */
  int row, column;
  char escape[32];
  size_t escaped;
  bool in_escape;
  bool alternate, cursor_hidden;
  int entered;         /* how often the other screen was */
  int overrun;         /* characters beyond the right margin */
  int colors, foreign; /* sequences that color; bytes that are not ASCII */
} pty;

static inline void pty_size(pty *p, int columns, int rows)
{
  struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
  ck_assert_int_eq(ioctl(p->master, TIOCSWINSZ, &size), 0);
  p->columns = columns;
  p->rows = rows;
}

/* Runs a shell command as the foreground process of the terminal. */
static inline pty pty_start(const char *command, int columns, int rows)
{
  pty p = {.master = posix_openpt(O_RDWR | O_NOCTTY)};
  ck_assert_int_ge(p.master, 0);
  ck_assert_int_eq(grantpt(p.master), 0);
  ck_assert_int_eq(unlockpt(p.master), 0);
  char name[128];
  snprintf(name, sizeof name, "%s", ptsname(p.master));
  p.slave = open(name, O_RDWR | O_NOCTTY);
  ck_assert_int_ge(p.slave, 0);
  pty_size(&p, columns, rows);
  ck_assert_int_eq(tcgetattr(p.slave, &p.before), 0);
  p.child = fork();
  if (p.child == 0) {
    setsid();
    ioctl(p.slave, TIOCSCTTY, 0);
    for (int k = 0; k < 3; ++k)
      dup2(p.slave, k);
    become_another();
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  ck_assert_int_gt(p.child, 0);
  return p;
}

/* "[row;columnH", "[?1049h" and the like; what is in `escape` begins after ESC. */
static inline void pty_obey(pty *p)
{
  char last = p->escape[p->escaped - 1];
  int row = 1, column = 1;
  if (last == 'H') {
    sscanf(p->escape, "[%d;%dH", &row, &column);
    p->row = row - 1;
    p->column = column - 1;
  } else if (last == 'm') {
    p->colors += strcmp(p->escape, "[0m") != 0;
  } else if (strcmp(p->escape, "[2J") == 0) {
    memset(p->screen, 0, sizeof p->screen);
  } else if (strncmp(p->escape, "[?1049", 6) == 0) {
    p->alternate = last == 'h';
    p->entered += last == 'h';
  } else if (strncmp(p->escape, "[?25", 4) == 0) {
    p->cursor_hidden = last == 'l';
  } else {
    ck_abort_msg("the sequence ESC %s", p->escape);
  }
}

static inline void pty_type(pty *p, unsigned char c)
{
  if ((c & 0xc0) == 0x80) {
    ++p->foreign;
  } else if (c == '\n') {
    ++p->row;
  } else if (c == '\r') {
    p->column = 0;
  } else {
    p->overrun += p->column >= p->columns || p->row >= p->rows;
    if (p->row < PTY_ROWS && p->column < PTY_COLUMNS)
      p->screen[p->row][p->column] = (char)(c < 0x80 ? c : '@');
    ++p->column;
  }
}

static inline void pty_take(pty *p, unsigned char c)
{
  if (c == 0x1b) {
    p->in_escape = true;
    p->escaped = 0;
  } else if (p->in_escape) {
    ck_assert_uint_lt(p->escaped + 1, sizeof p->escape);
    p->escape[p->escaped++] = (char)c;
    p->escape[p->escaped] = '\0';
    p->in_escape = c == '[' || !(c >= 0x40 && c <= 0x7e);
    if (!p->in_escape)
      pty_obey(p);
  } else {
    pty_type(p, c);
  }
}

/* What has been written within so many milliseconds. False: nobody will write any more. */
static inline bool pty_read(pty *p, int milliseconds)
{
  unsigned char bytes[4096];
  struct pollfd ready = {.fd = p->master, .events = POLLIN};
  if (poll(&ready, 1, milliseconds) <= 0)
    return true;
  ssize_t count = read(p->master, bytes, sizeof bytes);
  for (ssize_t k = 0; k < count; ++k)
    pty_take(p, bytes[k]);
  return count > 0;
}

static inline bool pty_shows(const pty *p, const char *text)
{
  for (int k = 0; k < p->rows; ++k)
    if (strstr(p->screen[k], text))
      return true;
  return false;
}

/* Reads until the text is on the screen, or fails after a minute. */
static inline void pty_wait_for(pty *p, const char *text)
{
  for (int k = 0; k < 6000; ++k) {
    pty_read(p, 10);
    if (pty_shows(p, text))
      return;
  }
  ck_abort_msg("no '%s' on the screen; its first lines: %s / %s", text, p->screen[0], p->screen[1]);
}

static inline void pty_press(pty *p, const char *keys)
{
  ck_assert_int_eq(write(p->master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Reads to the end of the command, whose exit status it returns, and of all of its children: they
 * hold the terminal as long as they live. The terminal must be as it was. */
static inline int pty_finish(pty *p)
{
  int status = 0;
  struct termios after;
  pid_t ended = 0;
  for (int k = 0; k < 6000 && ended == 0; ++k) {
    pty_read(p, 10);
    ended = waitpid(p->child, &status, WNOHANG);
  }
  ck_assert_msg(ended == p->child, "the command does not end");
  while (poll(&(struct pollfd){.fd = p->master, .events = POLLIN}, 1, 100) > 0)
    if (!pty_read(p, 0))
      break;
  ck_assert_int_eq(tcgetattr(p->slave, &after), 0);
  ck_assert_uint_eq(after.c_lflag, p->before.c_lflag);
  ck_assert_uint_eq(after.c_iflag, p->before.c_iflag);
  ck_assert_uint_eq(after.c_oflag, p->before.c_oflag);
  ck_assert_int_eq(memcmp(after.c_cc, p->before.c_cc, sizeof after.c_cc), 0);
  close(p->slave);
  bool open = true;
  for (int k = 0; k < 100 && open; ++k)
    open = pty_read(p, 100);
  ck_assert_msg(!open, "a child is left behind");
  close(p->master);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#endif
