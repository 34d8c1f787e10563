/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* what libwebsockets' headers take for granted */

#include "rclc_closest_point/view/server.h"

#include <errno.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "rclc_closest_point/base/table.h"
#include "rclc_closest_point/view/client.h"
#include "rclc_closest_point/view/page_files.h"

#define HEADER_MAX 1024         /* bytes of a header that matters here; longer ones are refused */
#define SENT_AT_ONCE 32         /* messages for one client, before it is the next one's turn */
#define SEND_BUFFER (256 << 10) /* bytes: what lies in the kernel grows old there */
#define MESSAGE_HEAD 13         /* bytes before a message: its kind, subscription and time */
#define MESSAGE_DATA 0x01

struct clp_server {
  clp_server_options options;
  clp_channels channels;
  struct lws_context *context;
  struct lws_vhost *vhost;
  lws_sorted_usec_list_t timer;
  struct lws *sockets[CLP_VIEW_CLIENTS_MAX]; /* and the client of each */
  clp_client *clients[CLP_VIEW_CLIENTS_MAX];
  int client_count;
  unsigned char *out; /* a message as it goes out */
  size_t out_room;
  char session[24];
};

/* Of a connection that asks for a file. */
typedef struct page_session {
  const clp_page_file *file;
} page_session;

typedef struct client_session {
  clp_client *client;
} client_session;

/* ---- Who may come in ---------------------------------------------------------------------- */

typedef struct header {
  char text[HEADER_MAX];
} header;

/* False: it is longer than anything that is right. */
static bool read_header(struct lws *wsi, enum lws_token_indexes token, header *h)
{
  h->text[0] = '\0';
  int length = lws_hdr_total_length(wsi, token);
  return length == 0 || (length > 0 && lws_hdr_copy(wsi, h->text, sizeof h->text, token) >= 0);
}

/* The arguments of an address, kept one by one by libwebsockets: as many as there is room for. */
static void read_query(struct lws *wsi, header *h)
{
  size_t size = 0;
  int length;
  for (int k = 0;
       size + 2 < sizeof h->text &&
       (length = lws_hdr_copy_fragment(wsi, h->text + size, (int)(sizeof h->text - size - 1),
                                       WSI_TOKEN_HTTP_URI_ARGS, k)) >= 0;
       ++k) {
    size += (size_t)length;
    h->text[size++] = '&';
  }
  h->text[size] = '\0';
}

static bool is_own_page(struct lws *wsi)
{
  header host, origin;
  if (!read_header(wsi, WSI_TOKEN_HOST, &host) || !read_header(wsi, WSI_TOKEN_ORIGIN, &origin))
    return false;
  const clp_request_facts facts = {.host = host.text, .origin = origin.text};
  return clp_access_is_own_page(&facts);
}

static clp_admission judge(const clp_server *server, struct lws *wsi)
{
  header host, origin, query, cookie;
  if (!read_header(wsi, WSI_TOKEN_HOST, &host))
    return CLP_WRONG_HOST;
  if (!read_header(wsi, WSI_TOKEN_ORIGIN, &origin))
    return CLP_WRONG_ORIGIN;
  if (!read_header(wsi, WSI_TOKEN_HTTP_COOKIE, &cookie))
    return CLP_WRONG_TOKEN;
  read_query(wsi, &query);
  const clp_request_facts facts = {host.text, origin.text, query.text, cookie.text};
  return clp_access_judge(&server->options.access, &facts);
}

/* ---- The page ----------------------------------------------------------------------------- */

static const unsigned int admission_codes[] = {[CLP_WELCOME] = HTTP_STATUS_OK,
                                               [CLP_WRONG_HOST] = HTTP_STATUS_FORBIDDEN,
                                               [CLP_WRONG_ORIGIN] = HTTP_STATUS_FORBIDDEN,
                                               [CLP_WRONG_TOKEN] = HTTP_STATUS_UNAUTHORIZED};
CLP_COMPLETE(admission_codes, CLP_ADMISSIONS);

/* The whole answer to a request that is not served. */
static int answer(struct lws *wsi, unsigned int code, const char *text)
{
  return lws_return_http_status(wsi, code, text) || lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* The same for one that wants to be a client; libwebsockets then ends the exchange by itself. */
static int refuse(struct lws *wsi, unsigned int code, const char *text)
{
  return lws_return_http_status(wsi, code, text) ? -1 : 1;
}

static const clp_page_file *find_file(const char *path)
{
  if (strcmp(path, "/") == 0)
    path = "/index.html";
  for (const clp_page_file *file = clp_page_files; file->path; ++file)
    if (strcmp(file->path, path) == 0)
      return file;
  return NULL;
}

/* A browser that has come with the token in its address keeps it in a cookie, and goes on to the
 * address without it, which may be shown and kept. */
static int keep_token(const clp_server *server, struct lws *wsi)
{
  unsigned char buffer[LWS_PRE + 1024], *start = buffer + LWS_PRE, *p = start;
  unsigned char *end = buffer + sizeof buffer - 1;
  char cookie[128];
  int length = snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
                        CLP_COOKIE_NAME, server->options.access.token);
  if (lws_add_http_common_headers(wsi, HTTP_STATUS_SEE_OTHER, "text/plain", 0, &p, end) ||
      lws_add_http_header_by_name(wsi, (const unsigned char *)"set-cookie:",
                                  (const unsigned char *)cookie, length, &p, end) ||
      lws_add_http_header_by_name(
          wsi, (const unsigned char *)"location:", (const unsigned char *)"/", 1, &p, end) ||
      lws_finalize_write_http_header(wsi, start, &p, end))
    return -1;
  return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static bool brings_token(const clp_server *server, struct lws *wsi)
{
  header query;
  size_t length = 0;
  read_query(wsi, &query);
  const char *value = clp_access_member(query.text, '&', CLP_TOKEN_NAME, &length);
  return value && clp_access_is_token(&server->options.access, value, length);
}

static int serve_page(const clp_server *server, struct lws *wsi, page_session *session,
                      const char *path)
{
  unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *p = start;
  unsigned char *end = buffer + sizeof buffer - 1;
  clp_admission verdict = judge(server, wsi);
  if (verdict != CLP_WELCOME)
    return answer(wsi, admission_codes[verdict], clp_admission_texts[verdict]);
  if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
    return answer(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, NULL);
  if (brings_token(server, wsi))
    return keep_token(server, wsi);
  session->file = find_file(path);
  if (!session->file)
    return answer(wsi, HTTP_STATUS_NOT_FOUND, NULL);
  if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, session->file->type, session->file->size, &p,
                                  end) ||
      lws_finalize_write_http_header(wsi, start, &p, end))
    return -1;
  lws_callback_on_writable(wsi);
  return 0;
}

static bool make_out(clp_server *server, size_t size)
{
  if (size <= server->out_room)
    return true;
  unsigned char *larger = realloc(server->out, LWS_PRE + size);
  if (!larger)
    return false;
  server->out = larger;
  server->out_room = size;
  return true;
}

static int send_file(clp_server *server, struct lws *wsi, page_session *session)
{
  const clp_page_file *file = session->file;
  session->file = NULL;
  if (!file)
    return 0;
  if (!make_out(server, file->size))
    return -1;
  memcpy(server->out + LWS_PRE, file->bytes, file->size);
  if (lws_write(wsi, server->out + LWS_PRE, file->size, LWS_WRITE_HTTP_FINAL) < 0)
    return -1;
  return lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* Before a connection becomes a client: `path` is where it wants to. */
static int judge_upgrade(const clp_server *server, struct lws *wsi)
{
  header path;
  clp_admission verdict = judge(server, wsi);
  if (verdict != CLP_WELCOME)
    return refuse(wsi, admission_codes[verdict], clp_admission_texts[verdict]);
  if (!read_header(wsi, WSI_TOKEN_GET_URI, &path) ||
      (strcmp(path.text, "/") != 0 && strcmp(path.text, "/ws") != 0))
    return refuse(wsi, HTTP_STATUS_NOT_FOUND, NULL);
  if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) <= 0)
    return refuse(wsi, HTTP_STATUS_BAD_REQUEST,
                  "the subprotocol is foxglove.sdk.v1 or foxglove.websocket.v1");
  if (server->client_count == CLP_VIEW_CLIENTS_MAX)
    return refuse(wsi, HTTP_STATUS_SERVICE_UNAVAILABLE, "too many clients");
  return 0;
}

static clp_server *server_of(struct lws *wsi)
{
  return lws_context_user(lws_get_context(wsi));
}

static int on_page(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t length)
{
  (void)length;
  switch (reason) {
    case LWS_CALLBACK_HTTP:
      return serve_page(server_of(wsi), wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return send_file(server_of(wsi), wsi, user);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return judge_upgrade(server_of(wsi), wsi);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_HTTP_BODY:
      return -1; /* no client without a subprotocol, and nothing is to be brought */
    default:
      return 0;
  }
}

/* ---- Clients ------------------------------------------------------------------------------ */

static void greet(clp_server *server, clp_client *client)
{
  clp_packet *info = clp_server_info(server->options.name, server->session);
  clp_packet *channels = clp_advertisement(&server->channels);
  if (info && channels) {
    clp_outbox_put_text(&client->outbox, info);
    clp_outbox_put_text(&client->outbox, channels);
  }
  clp_packet_release(info);
  clp_packet_release(channels);
}

static int welcome(clp_server *server, struct lws *wsi, client_session *session)
{
  const int room = SEND_BUFFER;
  clp_client *client =
      server->client_count < CLP_VIEW_CLIENTS_MAX ? calloc(1, sizeof *client) : NULL;
  if (!client)
    return -1;
  setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  session->client = client;
  server->sockets[server->client_count] = wsi;
  server->clients[server->client_count++] = client;
  clp_client_begin(client, (int64_t)lws_now_usecs());
  client->own_page = is_own_page(wsi);
  client->playing = server->options.playing;
  greet(server, client);
  lws_callback_on_writable(wsi);
  return 0;
}

static void part(clp_server *server, client_session *session)
{
  for (int k = 0; k < server->client_count; ++k)
    if (server->clients[k] == session->client) {
      server->clients[k] = server->clients[--server->client_count];
      server->sockets[k] = server->sockets[server->client_count];
      break;
    }
  if (session->client)
    clp_client_end(session->client);
  free(session->client);
  session->client = NULL;
}

/* -1: it is to be closed for what it does. */
static int close_for(struct lws *wsi, enum lws_close_status status)
{
  lws_close_reason(wsi, status, NULL, 0);
  return -1;
}

static int hear(clp_server *server, struct lws *wsi, clp_client *client, const char *bytes,
                size_t size)
{
  size_t more = lws_remaining_packet_payload(wsi);
  if (client->heard_size + size + more > sizeof client->heard)
    return close_for(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
  memcpy(client->heard + client->heard_size, bytes, size);
  client->heard_size += size;
  if (more > 0 || !lws_is_final_fragment(wsi))
    return 0;
  size_t whole = client->heard_size;
  client->heard_size = 0;
  if (!clp_client_may_ask(client, (int64_t)lws_now_usecs()))
    return close_for(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
  if (lws_frame_is_binary(wsi))
    clp_client_note(client, 1, "nothing can be published here");
  else
    clp_client_obey(client, &server->channels, client->heard, whole);
  lws_callback_on_writable(wsi);
  return 0;
}

static void put_number(unsigned char *to, uint64_t value, int bytes)
{
  for (int k = 0; k < bytes; ++k)
    to[k] = (unsigned char)(value >> 8 * k);
}

static bool send_entry(clp_server *server, struct lws *wsi, const clp_outbox_entry *entry)
{
  size_t head = entry->text ? 0 : MESSAGE_HEAD, size = head + entry->packet->size;
  if (!make_out(server, size))
    return false;
  unsigned char *to = server->out + LWS_PRE;
  if (head > 0) {
    to[0] = MESSAGE_DATA;
    put_number(to + 1, entry->subscription, 4);
    put_number(to + 5, entry->packet->time, 8);
  }
  memcpy(to + head, entry->packet->bytes, entry->packet->size);
  return lws_write(wsi, to, size, entry->text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY) >= 0;
}

static int send_some(clp_server *server, struct lws *wsi, clp_client *client)
{
  client->taken = (int64_t)lws_now_usecs();
  for (int k = 0; k < SENT_AT_ONCE && !lws_send_pipe_choked(wsi); ++k) {
    clp_outbox_entry entry = clp_client_next(client, &server->channels);
    if (!entry.packet)
      return 0;
    bool sent = send_entry(server, wsi, &entry);
    clp_packet_release(entry.packet);
    if (!sent)
      return -1;
  }
  if (clp_client_waits(client, &server->channels))
    lws_callback_on_writable(wsi);
  return 0;
}

static int on_client(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t length)
{
  client_session *session = user;
  switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
      return welcome(server_of(wsi), wsi, session);
    case LWS_CALLBACK_RECEIVE:
      return hear(server_of(wsi), wsi, session->client, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return send_some(server_of(wsi), wsi, session->client);
    case LWS_CALLBACK_CLOSED:
      part(server_of(wsi), session);
      return 0;
    default:
      return 0;
  }
}

/* ---- Channels and messages ---------------------------------------------------------------- */

const clp_access *clp_server_access(const clp_server *server)
{
  return &server->options.access;
}

int clp_server_client_count(const clp_server *server)
{
  return server->client_count;
}

int clp_server_add_channel(clp_server *server, const clp_channel *channel)
{
  int index = clp_channels_add(&server->channels, channel);
  clp_packet *text =
      index >= 0 && server->client_count > 0 ? clp_advertisement(&server->channels) : NULL;
  for (int k = 0; text && k < server->client_count; ++k) {
    clp_outbox_put_text(&server->clients[k]->outbox, text);
    lws_callback_on_writable(server->sockets[k]);
  }
  clp_packet_release(text);
  return index;
}

void clp_server_publish(clp_server *server, int channel, uint64_t time, const void *bytes,
                        size_t size, const char *key)
{
  clp_packet *packet = clp_packet_create(time, bytes, size);
  if (!packet)
    return;
  if (key)
    clp_channels_keep(&server->channels, channel, key, packet);
  for (int k = 0; k < server->client_count; ++k) {
    clp_client_offer(server->clients[k], &server->channels, channel, packet);
    if (server->clients[k]->outbox.count > 0)
      lws_callback_on_writable(server->sockets[k]);
  }
  clp_packet_release(packet);
}

void clp_server_keep(clp_server *server, int channel, uint64_t time, const void *bytes, size_t size,
                     const char *key)
{
  clp_packet *packet = clp_packet_create(time, bytes, size);
  if (packet)
    clp_channels_keep(&server->channels, channel, key, packet);
  clp_packet_release(packet);
}

void clp_server_hush(clp_server *server)
{
  for (int k = 0; k < server->client_count; ++k)
    clp_client_hush(server->clients[k]);
}

void clp_server_forget(clp_server *server, int channel)
{
  clp_channels_forget(&server->channels, channel);
}

/* ---- Time --------------------------------------------------------------------------------- */

/* A client that takes nothing of what waits for it. */
static void drop_the_slow(clp_server *server)
{
  const int64_t patience = CLP_VIEW_PATIENCE_READ * (int64_t)LWS_USEC_PER_SEC;
  int64_t now = (int64_t)lws_now_usecs();
  for (int k = 0; k < server->client_count; ++k) {
    clp_client *client = server->clients[k];
    if (!clp_client_waits(client, &server->channels))
      client->taken = now;
    else if (now - client->taken > patience)
      lws_set_timeout(server->sockets[k], PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
  }
}

static void on_tick(lws_sorted_usec_list_t *timer)
{
  clp_server *server = lws_container_of(timer, clp_server, timer);
  if (server->options.tick)
    server->options.tick(server->options.user);
  drop_the_slow(server);
  lws_sul_schedule(server->context, 0, timer, on_tick, CLP_VIEW_TICK);
}

void clp_server_run(clp_server *server, bool (*must_stop)(void))
{
  while (!must_stop() && lws_service(server->context, 0) >= 0)
    ;
}

/* ---- From start to end -------------------------------------------------------------------- */

static const struct lws_protocols protocols[] = {
    {"http", on_page, sizeof(page_session), 0, 0, NULL, 0},
    {"foxglove.sdk.v1", on_client, sizeof(client_session), CLP_VIEW_MESSAGE_MAX, 0, NULL, 0},
    {"foxglove.websocket.v1", on_client, sizeof(client_session), CLP_VIEW_MESSAGE_MAX, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0}};

/* What every answer says: nothing is loaded from elsewhere, nothing runs that is not one of the
 * page's files, and nobody else's page shows this one. */
static const struct lws_protocol_vhost_options headers[] = {
    {&headers[1], NULL, "content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {&headers[2], NULL, "x-content-type-options:", "nosniff"},
    {&headers[3], NULL, "referrer-policy:", "no-referrer"},
    {&headers[4], NULL, "cross-origin-resource-policy:", "same-origin"},
    {&headers[5], NULL, "cross-origin-opener-policy:", "same-origin"},
    {NULL, NULL, "cache-control:", "no-store"}};

static const lws_retry_bo_t idle_policy = {
    .secs_since_valid_ping = CLP_VIEW_IDLE,
    .secs_since_valid_hangup = CLP_VIEW_IDLE + CLP_VIEW_PATIENCE_PONG};

static struct lws_context_creation_info information_of(clp_server *server)
{
  const clp_access *access = &server->options.access;
  return (struct lws_context_creation_info){
      .port = access->port,
      .iface = access->address,
      .protocols = protocols,
      .headers = headers,
      .retry_and_idle_policy = &idle_policy,
      .server_string = "closest_point",
      .timeout_secs = CLP_VIEW_PATIENCE_ASK,
      .timeout_secs_ah_idle = CLP_VIEW_PATIENCE_ASK,
      .keepalive_timeout = CLP_VIEW_PATIENCE_ASK,
      .max_http_header_pool = CLP_VIEW_CONNECTIONS_MAX,
      .max_http_header_data = 4096,
      .fd_limit_per_thread = CLP_VIEW_CONNECTIONS_MAX,
      .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                 LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                 (strchr(access->address, ':') ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6),
      .user = server};
}

static bool listen_on(clp_server *server)
{
  struct lws_context_creation_info information = information_of(server);
  lws_set_log_level(0, NULL);
  server->context = lws_create_context(&information);
  if (server->context)
    server->vhost = lws_create_vhost(server->context, &information);
  if (!server->vhost)
    return false;
  server->options.access.port = lws_get_vhost_listen_port(server->vhost);
  return true;
}

clp_status clp_server_open(const clp_server_options *options, clp_server **server)
{
  clp_server *opened = calloc(1, sizeof *opened);
  if (!opened)
    return CLP_ERROR_MEMORY;
  opened->options = *options;
  snprintf(opened->session, sizeof opened->session, "%lld", (long long)lws_now_usecs());
  if (!listen_on(opened)) {
    char line[160];
    snprintf(line, sizeof line, "cannot listen on %s port %d: %s", options->access.address,
             options->access.port, errno ? strerror(errno) : "it is taken");
    if (options->sink.message)
      options->sink.message(options->sink.user, CLP_DEFECT, line);
    clp_server_close(opened);
    return CLP_ERROR_FILE;
  }
  lws_sul_schedule(opened->context, 0, &opened->timer, on_tick, CLP_VIEW_TICK);
  *server = opened;
  return CLP_OK;
}

void clp_server_close(clp_server *server)
{
  if (!server)
    return;
  if (server->context)
    lws_context_destroy(server->context);
  clp_channels_release(&server->channels);
  free(server->out);
  free(server);
}
