import { authorise } from '@/lib/services/access';
import { listImages } from '@/lib/services/images/list-images';
import { defineCommand, json, readCount, UsageError } from '../command';
import { commandLine, localOrRemote } from '../database/enter';
import { remoteOptions } from '../remote';
import { print, table } from '../terminal';

interface Image {
  id: string;
  name: string;
  className: string | null;
  width: number;
  height: number;
  state: string;
}

/** Facts only: links to the files are signed for a while and would be stale in a script's hands. */
const factsOf = ({ id, name, className, width, height, state }: Image): Image => ({
  id,
  name,
  className,
  width,
  height,
  state,
});

export const command = defineCommand({
  options: {
    project: { type: 'string', value: 'slug', description: 'The project.' },
    class: { type: 'string', value: 'class', description: 'Only those of this class.' },
    text: { type: 'string', value: 'text', description: 'Part of the name.' },
    limit: { type: 'string', value: 'number', description: 'Maximum number of rows (default 100).' },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const { project, text } = values;
    if (!project) throw new UsageError('Pass --project <slug>.');
    const limit = readCount('limit', values.limit, 100);
    const found = await localOrRemote<Image[]>(
      values,
      async (db) => {
        const access = await authorise(db, commandLine, 'images.read', { project });
        const projectId = access.project.id;
        return (await listImages(db, { projectId, class: values.class, text, limit })).images;
      },
      (remote) =>
        remote.list(`/projects/${encodeURIComponent(project)}/images`, limit, { class: values.class, text }),
    );
    const images = found.map(factsOf);
    print(values.json, images, () => table(['id', 'class', 'size', 'name'], images.map(row), 'No images.'));
    return 0;
  },
});

const row = (image: Image): string[] => [
  image.id,
  image.className ?? '–',
  `${image.width}×${image.height}`,
  image.name,
];
