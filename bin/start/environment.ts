import type { Config } from '@/lib/config';
import type { Secrets } from '@/lib/config/secrets';

/** What web and worker find in their environment: always complete, so that they need no defaults. */
export function runtimeEnvironment(config: Config, secrets: Secrets, databaseUrl: string) {
  return {
    HOST: config.HOST,
    PORT: String(config.PORT),
    TESSERA_HOME: config.home,
    TESSERA_URL: config.url,
    TESSERA_SECRET: config.TESSERA_SECRET ?? secrets.secret,
    DATABASE_URL: databaseUrl,
    NEXT_TELEMETRY_DISABLED: '1',
  };
}

/** Pictures, logs and secrets are made readable for their owner only. */
export const keepFilesPrivate = () => process.umask(0o077);
