import path from 'node:path';
import type { Config } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { S3Bucket } from './s3-bucket';

/** The bucket of the environment, or null where files lie in the home. Half a setting is refused. */
export function bucketOf(config: Config): S3Bucket | null {
  const {
    TESSERA_S3_BUCKET: bucket,
    TESSERA_S3_ENDPOINT: endpoint,
    TESSERA_S3_KEY_ID: keyId,
    TESSERA_S3_SECRET: secret,
  } = config;
  if (!bucket) return null;
  if (!endpoint || !keyId || !secret)
    throw new TesseraError(
      'invalid',
      'TESSERA_S3_BUCKET needs TESSERA_S3_ENDPOINT, TESSERA_S3_KEY_ID and TESSERA_S3_SECRET beside it.',
    );
  return {
    bucket,
    endpoint,
    keyId,
    secret,
    region: config.TESSERA_S3_REGION,
    patienceMs: config.TESSERA_S3_PATIENCE * 1000,
    prefix: config.TESSERA_S3_PREFIX ? `${config.TESSERA_S3_PREFIX}/` : '',
    stagingFolder: path.join(config.home, 'staging'),
  };
}
