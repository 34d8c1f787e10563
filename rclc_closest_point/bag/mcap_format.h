/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RCLC_CLOSEST_POINT_BAG_MCAP_FORMAT_H
#define RCLC_CLOSEST_POINT_BAG_MCAP_FORMAT_H

/* MCAP files (mcap.dev/spec), written and read by hand: there is no library for C that is kept (the
 * makers' are C++, Go, Python, TypeScript, Swift and Rust), and the format is small.
 *
 *   magic, Header, what was recorded, DataEnd, summary, Footer, magic
 *
 * A record is its kind (1 byte), the length of what follows (8), and that. What was recorded stands
 * in chunks: compressed schemas, channels and messages, each followed by an index of its messages
 * for each channel. The summary repeats schemas and channels and says where the chunks are. */

#define CLP_MCAP_MAGIC "\x89MCAP0\r\n"
#define CLP_MCAP_MAGIC_SIZE 8
#define CLP_MCAP_HEAD 9          /* of a record: kind and length */
#define CLP_MCAP_FOOTER_SIZE 20  /* of its content */
#define CLP_MCAP_MESSAGE_HEAD 22 /* of a message's content, before its bytes */
#define CLP_MCAP_PROFILE "ros2"
#define CLP_MCAP_ENCODING "cdr"

typedef enum clp_mcap_kind {
  CLP_MCAP_HEADER = 1,
  CLP_MCAP_FOOTER,
  CLP_MCAP_SCHEMA,
  CLP_MCAP_CHANNEL,
  CLP_MCAP_MESSAGE,
  CLP_MCAP_CHUNK,
  CLP_MCAP_MESSAGE_INDEX,
  CLP_MCAP_CHUNK_INDEX,
  CLP_MCAP_ATTACHMENT,
  CLP_MCAP_ATTACHMENT_INDEX,
  CLP_MCAP_STATISTICS,
  CLP_MCAP_METADATA,
  CLP_MCAP_METADATA_INDEX,
  CLP_MCAP_SUMMARY_OFFSET,
  CLP_MCAP_DATA_END
} clp_mcap_kind;

#endif
