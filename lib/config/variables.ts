import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const onOff = z.enum(['on', 'off']);
const httpUrl = z.url({ protocol: /^https?$/ });
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
const gigabytes = z.coerce.number().positive().max(1024);

/** Every environment variable the product reads. The table in the docs is made from this list. */
export const variables = {
  PORT: { schema: port.default(3000), says: 'Port of the web server.' },
  HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    says: 'Address the web server listens on. Use `0.0.0.0` to serve other machines.',
  },
  TESSERA_URL: {
    schema: httpUrl.optional(),
    says: 'Address that people type into the browser, when it is not `http://localhost:PORT` (a proxy, a domain).',
  },
  TESSERA_HOME: {
    schema: z.string().min(1).optional(),
    says: 'Folder of the database, the pictures and the secrets. Default: `.tessera` in the project folder.',
  },
  DATABASE_URL: {
    schema: postgresUrl.optional(),
    says: 'A PostgreSQL (15 or newer) to use instead of the embedded one.',
  },
  TESSERA_SECRET: {
    schema: z.string().min(32).optional(),
    says: 'Secret that signs sessions and links, at least 32 characters. Default: made at first start, kept in TESSERA_HOME.',
  },
  TESSERA_DEMO: {
    schema: onOff.default('on'),
    says: '`off` starts without the demo workspace and its sign-ins.',
  },
  TESSERA_DEMO_PASSWORD: {
    schema: z.string().min(8).optional(),
    says: 'Password of the demo sign-ins. Default: made at first start, kept in TESSERA_HOME, printed at every start.',
  },
  TESSERA_LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    says: 'How much is logged: `trace`, `debug`, `info`, `warn`, `error`, `silent`.',
  },
  TESSERA_UPLOAD_GB: {
    schema: gigabytes.default(20),
    says: 'Largest single file (a zip, for instance) that may be uploaded, in gigabytes.',
  },
  TESSERA_CHROMIUM: {
    schema: z.string().min(1).optional(),
    says: 'Chromium for the browser tests, when it is not on the PATH.',
  },
  TESSERA_PYTHON: {
    schema: z.string().min(1).optional(),
    says: 'Python with PyTorch for training, when it is not the system’s.',
  },
} as const;

export type VariableName = keyof typeof variables;
