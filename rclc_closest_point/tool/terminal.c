/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* sigaction, nl_langinfo_l */

#include "rclc_closest_point/tool/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t lost;

static void note_signal(int signal_number)
{
  if (signal_number != SIGWINCH) /* that one only ends the wait */
    lost = 1;
}

static bool says(const char *variable)
{
  const char *value = getenv(variable);
  return value && *value;
}

bool clp_terminal_is_there(void)
{
  const char *kind = getenv("TERM");
  return isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool clp_terminal_has_utf8(void)
{
  locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
  if (!locale)
    return false;
  bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
  freelocale(locale);
  return utf8;
}

bool clp_terminal_has_color(void)
{
  return !says("NO_COLOR") && clp_terminal_is_there();
}

void clp_terminal_size(int *columns, int *rows)
{
  struct winsize size = {0};
  bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
  *columns = known ? size.ws_col : 80;
  *rows = known ? size.ws_row : 24;
}

/* All of it, also to a slow terminal. */
static void send(const char *text, size_t length)
{
  while (length > 0) {
    ssize_t sent = write(STDOUT_FILENO, text, length);
    if (sent < 0 && errno != EINTR)
      return; /* it is gone; SIGHUP says so */
    text += sent > 0 ? sent : 0;
    length -= sent > 0 ? (size_t)sent : 0;
  }
}

static void send_text(const char *text)
{
  send(text, strlen(text));
}

/* No echo, no waiting for the end of a line, no suspending: Ctrl-C still interrupts. */
static void read_single_keys(clp_terminal *terminal)
{
  terminal->keys = tcgetattr(STDIN_FILENO, &terminal->before) == 0;
  if (!terminal->keys)
    return;
  struct termios raw = terminal->before;
  raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

void clp_terminal_enter(clp_terminal *terminal)
{
  struct sigaction note = {.sa_handler = note_signal};
  lost = 0;
  sigaction(SIGHUP, &note, NULL);
  sigaction(SIGQUIT, &note, NULL);
  sigaction(SIGWINCH, &note, NULL);
  *terminal = (clp_terminal){.keys = false};
  read_single_keys(terminal);
  send_text("\033[?1049h\033[?25l\033[2J");
}

void clp_terminal_leave(const clp_terminal *terminal)
{
  send_text("\033[0m\033[?25h\033[?1049l");
  if (terminal->keys)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->before);
  signal(SIGHUP, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  signal(SIGWINCH, SIG_DFL);
}

/* Every line is put where it belongs and is as wide as the screen, so nothing needs to be erased;
 * all in one piece, so nothing flickers. */
void clp_terminal_show(clp_terminal *terminal, const clp_page *page)
{
  char text[2 * CLP_PAGE_ROOM];
  size_t used = 0;
  int row = 1;
  const char *line = page->text;
  if (page->columns != terminal->columns || page->rows != terminal->rows)
    used += (size_t)snprintf(text, sizeof text, "\033[2J");
  terminal->columns = page->columns;
  terminal->rows = page->rows;
  while (*line) {
    size_t length = strcspn(line, "\n");
    if (used + length + 32 > sizeof text)
      break;
    used += (size_t)snprintf(text + used, sizeof text - used, "\033[%d;1H", row++);
    memcpy(text + used, line, length);
    used += length;
    line += length + (line[length] == '\n');
  }
  send(text, used);
}

static bool pressed_q(void)
{
  char keys[64];
  ssize_t count = read(STDIN_FILENO, keys, sizeof keys);
  return count > 0 && memchr(keys, 'q', (size_t)count) != NULL;
}

bool clp_terminal_wait(const clp_terminal *terminal, int milliseconds)
{
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  int ready = poll(&input, terminal->keys ? 1 : 0, milliseconds);
  if (ready <= 0)
    return false;
  return (input.revents & POLLIN) ? pressed_q() : true; /* or it is gone */
}

bool clp_terminal_is_lost(void)
{
  return lost != 0;
}
