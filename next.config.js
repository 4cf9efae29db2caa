import createNextIntlPlugin from 'next-intl/plugin';

const withTranslations = createNextIntlPlugin('./app/_i18n/request.ts');

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Native and Node-only packages are required at run time, never bundled.
  serverExternalPackages: ['pg', 'pg-boss', 'pino', 'sharp', 'onnxruntime-node', 'yauzl', 'better-auth'],
  // `npm test` checks the types; a first start has no time to do it again.
  typescript: { ignoreBuildErrors: true },
  allowedDevOrigins: ['127.0.0.1'],
  headers: async () => [{ source: '/(.*)', headers: [{ key: 'x-content-type-options', value: 'nosniff' }] }],
};

export default withTranslations(config);
