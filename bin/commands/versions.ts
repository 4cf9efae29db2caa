import { authorise } from '@/lib/services/access';
import { listVersions } from '@/lib/services/datasets/versions/list-versions';
import { defineCommand, json, UsageError } from '../command';
import { commandLine, localOrRemote } from '../database/enter';
import { remoteOptions } from '../remote';
import { print, table } from '../terminal';

interface Listed {
  number: number;
  hash: string;
  images: number;
  labels: number;
  tags: string[];
  description: string;
  at: Date | string;
}

export const command = defineCommand({
  options: {
    project: { type: 'string', value: 'slug', description: 'The project.' },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const { project } = values;
    if (!project) throw new UsageError('Pass --project <slug>.');
    const found = await localOrRemote<Listed[]>(
      values,
      async (db) => {
        const access = await authorise(db, commandLine, 'project.read', { project });
        return listVersions(db, { projectId: access.project.id });
      },
      async (remote) =>
        (await remote.ask<{ items: Listed[] }>(`/projects/${encodeURIComponent(project)}/versions`)).items,
    );
    print(values.json, found, () =>
      table(
        ['version', 'hash', 'images', 'labels', 'tags', 'frozen'],
        found.map((each) => [
          String(each.number),
          each.hash.slice(0, 12),
          String(each.images),
          String(each.labels),
          each.tags.join(' ') || '–',
          new Date(each.at).toISOString().slice(0, 16).replace('T', ' '),
        ]),
        'Nothing is frozen yet: tessera freeze.',
      ),
    );
    return 0;
  },
});
