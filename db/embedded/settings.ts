/** Loopback only, no socket file: the one way in is the port, with a password. */
const common = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Short transactional queries on two cores: neither compiling nor spreading one query pays, and parallel
  // workers need more shared memory than a container gives by default (64 MB).
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  io_workers: '2',
  log_checkpoints: 'off',
};

export const settings = {
  durable: {
    ...common,
    max_connections: '100',
    shared_buffers: '128MB',
    // Fewer, larger checkpoints while thousands of images are ingested.
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    log_min_duration_statement: '2000',
  },
  /** For tests: nothing survives a power cut, everything is faster. */
  throwaway: {
    ...common,
    max_connections: '200',
    shared_buffers: '128MB',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
  },
} as const;

export type SettingsName = keyof typeof settings;
