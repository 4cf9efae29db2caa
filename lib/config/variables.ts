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
/** As examples and other people's defaults have them: whoever reads the source could sign sessions. */
const published = /better-auth-secret|change-?me|replace-?me|your-?secret|example|default|^(.{1,8})\1+$/i;

const atLeast = (length: number) => ({
  schema: z.string().min(length),
  must: `have at least ${length} characters`,
});

export interface Variable {
  schema: z.ZodType;
  /** What a value must do, for the person whose value does not. */
  must: string;
  says: string;
  /** What holds when it is not given, where that is not a plain value. */
  otherwise?: string;
  /** Never printed, not even when it is wrong. */
  isSecret?: true;
}

/** Every environment variable the product reads. The table in the docs is made from this list. */
export const variables = {
  PORT: {
    ...port,
    schema: port.schema.default(3000),
    says: 'Port of the web server; 0 takes any that is free.',
  },
  HOST: {
    ...text,
    schema: text.schema.default('127.0.0.1'),
    says: 'Address the web server listens on. Use `0.0.0.0` to serve other machines.',
  },
  TESSERA_URL: {
    ...httpUrl,
    schema: httpUrl.schema.optional(),
    says: 'Address that people type into the browser: that of a proxy or a domain.',
    otherwise: '`http://localhost:PORT`',
  },
  TESSERA_TRUSTED_PROXIES: {
    schema: z
      .string()
      .refine((setting) => readProxies(setting) !== null)
      .default('private'),
    must: 'be `private`, `loopback`, `none`, or addresses and networks separated by commas (`10.0.0.5, 192.168.2.0/24`)',
    says: 'Proxies whose `X-Forwarded-For` header is trusted. List them if users share a private network with the server, because limits on wrong passwords count by address.',
  },
  TESSERA_HOME: {
    ...text,
    schema: text.schema.optional(),
    says: 'Folder of the database, the pictures, the secrets and the log.',
    otherwise: '`.tessera` in the project folder',
  },
  DATABASE_URL: {
    ...postgresUrl,
    schema: postgresUrl.schema.optional(),
    says: 'A PostgreSQL (15 or newer) of your own.',
    otherwise: 'the embedded PostgreSQL',
    isSecret: true,
  },
  TESSERA_SECRET: {
    schema: z
      .string()
      .min(32)
      .refine((secret) => !published.test(secret))
      .optional(),
    must: 'have at least 32 characters that nobody has published',
    says: 'Signs sessions and links.',
    otherwise: 'made at first start, kept in TESSERA_HOME',
    isSecret: true,
  },
  TESSERA_DEMO: {
    ...onOff,
    schema: onOff.schema.default('on'),
    says: '`off` starts without the demo workspace and its sign-ins.',
  },
  TESSERA_DEMO_PASSWORD: {
    ...atLeast(8),
    schema: atLeast(8).schema.optional(),
    says: 'Password of the demo sign-ins, printed at every start.',
    otherwise: 'made at first start, kept in TESSERA_HOME',
    isSecret: true,
  },
  TESSERA_LOG_LEVEL: { ...level, schema: level.schema.default('info'), says: 'How much is logged.' },
  TESSERA_DATABASE_POOL: {
    ...whole(2, 200),
    schema: whole(2, 200).schema.default(10),
    says: 'Connections that one process opens to the database at most; a worker has five more for its queue, a web server one for live pages.',
  },
  TESSERA_DRAIN_SECONDS: {
    ...whole(0, 600),
    schema: whole(0, 600).schema.default(0),
    says: 'How long a web server that is told to stop goes on serving while it says that it is not ready, so that a load balancer can turn away from it.',
  },
  TESSERA_WORKER_PORT: {
    ...whole(1, 65_535),
    schema: whole(1, 65_535).schema.optional(),
    says: 'Port on which a worker answers `/api/health`, `/api/ready` and `/api/metrics`, at the address HOST.',
    otherwise: 'a worker listens on no port',
  },
  TESSERA_METRICS_TOKEN: {
    ...atLeast(16),
    schema: atLeast(16).schema.optional(),
    says: 'Whoever sends it as `Authorization: Bearer …` may read `/api/metrics`, and nothing else.',
    otherwise: 'the API key of an admin, or an instance that only this machine can reach',
    isSecret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...httpUrl,
    schema: httpUrl.schema.optional(),
    says: 'Collector of OpenTelemetry that gets traces of requests and jobs, by OTLP over HTTP in JSON: `http://collector:4318`.',
    otherwise: 'no traces',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z
      .string()
      .regex(/^[\w-]+=([^,%]|%[0-9a-f]{2})*(,[\w-]+=([^,%]|%[0-9a-f]{2})*)*$/i)
      .optional(),
    must: 'look like `name=value,name=value`, with `%2C` for a comma',
    says: 'Headers for the collector, a key for instance.',
    otherwise: 'none',
    isSecret: true,
  },
  OTEL_SERVICE_NAME: {
    ...text,
    schema: text.schema.optional(),
    says: 'What the traces call this process.',
    otherwise: '`tessera-web`, `tessera-worker`',
  },
  TESSERA_UPLOAD_GB: {
    ...gigabytes,
    schema: gigabytes.schema.default(20),
    says: 'Largest single file (a zip, for instance) that may be uploaded, in gigabytes.',
  },
  TESSERA_S3_BUCKET: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .optional(),
    must: 'be the name of a bucket',
    says: 'Bucket of an S3-compatible store that holds the pictures and all other files.',
    otherwise: 'the folder `blobs` in TESSERA_HOME',
  },
  TESSERA_S3_ENDPOINT: {
    ...httpUrl,
    schema: httpUrl.schema.optional(),
    says: 'Address of that store without the bucket, such as `https://s3.eu-central-1.amazonaws.com`.',
    otherwise: 'none',
  },
  TESSERA_S3_REGION: {
    ...text,
    schema: text.schema.default('us-east-1'),
    says: 'Region that requests to it are signed for.',
  },
  TESSERA_S3_KEY_ID: {
    ...text,
    schema: text.schema.optional(),
    says: 'Id of the access key to it.',
    otherwise: 'none',
  },
  TESSERA_S3_SECRET: {
    ...text,
    schema: text.schema.optional(),
    says: 'Secret of the access key to it.',
    otherwise: 'none',
    isSecret: true,
  },
  TESSERA_S3_PREFIX: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/)
      .optional(),
    must: 'be folder names with `/` between them',
    says: 'Folder within the bucket, so that several installations can share it.',
    otherwise: 'the top of the bucket',
  },
  TESSERA_S3_PATIENCE: {
    ...whole(1, 600),
    schema: whole(1, 600).schema.default(20),
    says: 'Seconds for which somebody who reads a file waits for the store; who writes one waits three times as long.',
  },
  TESSERA_KEY: {
    ...text,
    schema: text.schema.optional(),
    says: 'API key for commands that talk to an instance elsewhere (`--url`, `worker --gpu`).',
    otherwise: 'the option `--key`, or `--key-file` of `worker --gpu`',
    isSecret: true,
  },
  TESSERA_SAM_ENCODER: {
    ...text,
    schema: text.schema.optional(),
    says: 'Encoder of a Segment Anything export in ONNX, for the smart tools. Needs TESSERA_SAM_DECODER.',
    otherwise: 'the one of `tessera assist install`, if it is there',
  },
  TESSERA_SAM_DECODER: {
    ...text,
    schema: text.schema.optional(),
    says: 'Decoder of the same export, with the inputs that Segment Anything itself exports.',
    otherwise: 'the one of `tessera assist install`, if it is there',
  },
  TESSERA_PROLIFIC_TOKEN: {
    ...text,
    schema: text.schema.optional(),
    says: 'API token of the Prolific account whose studies send workers: confirms who arrives, takes back the work of those who leave, pays bonuses.',
    otherwise: 'arrivals are known by the secret in the link of the study',
    isSecret: true,
  },
  TESSERA_PROLIFIC_URL: {
    ...httpUrl,
    schema: httpUrl.schema.default('https://api.prolific.com'),
    says: 'Address of the Prolific API.',
  },
  TESSERA_PROLIFIC_FRAME_ORIGIN: {
    schema: z.string().regex(frameOrigin).optional(),
    must: 'be an origin, like `https://market.example`',
    says: 'Origin of a marketplace whose pages may show the arrival page `/join/prolific` in a frame.',
    otherwise: 'no page may be framed by anybody',
  },
  TESSERA_CHROMIUM: {
    ...text,
    schema: text.schema.optional(),
    says: 'Chromium for the browser tests.',
    otherwise: 'the first one found on the PATH',
  },
  TESSERA_PYTHON: {
    ...text,
    schema: text.schema.optional(),
    says: 'Python with PyTorch for training.',
    otherwise: 'the Python of the system',
  },
  TESSERA_TRAINER_INSTALL: {
    ...onOff,
    schema: onOff.schema.default('on'),
    says: '`off` does not fetch PyTorch in the background at the first start of a machine that lacks it.',
  },
  TESSERA_SLURM: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._,-]*$/)
      .optional(),
    must: 'be the name of a partition',
    says: 'Partition of Slurm that trains; `default` is the one Slurm picks. The checkout and TESSERA_HOME lie on a disk that its nodes share.',
    otherwise: 'no run goes to Slurm',
  },
  TESSERA_SLURM_OPTIONS: {
    schema: z
      .string()
      .regex(/^\s*(--[a-z][a-z-]*(=[^\s]+)?(\s+|$))+$/)
      .optional(),
    must: 'be options of `sbatch` such as `--account=lab --qos=low`',
    says: 'Further options for `sbatch`.',
    otherwise: 'none',
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;
