import { authorise } from '@/lib/auth';
import { type ListedImage, listImages } from '@/lib/images/list-images';
import { commandLine } from '../actor';
import { defineCommand, json, readCount, UsageError } from '../command';
import { enterDatabase } from '../database/enter';
import { print } from '../terminal/print';
import { table } from '../terminal/text';

/** Facts only: links to the files are signed for a few minutes and would be stale in a script's hands. */
const factsOf = ({ thumbnail: _, ...facts }: ListedImage) => facts;

export const command = defineCommand({
  options: {
    project: { type: 'string', value: 'slug', says: 'The project.' },
    class: { type: 'string', value: 'class', says: 'Only those of this class.' },
    text: { type: 'string', value: 'text', says: 'Part of the name.' },
    limit: { type: 'string', value: 'number', says: 'How many (default 100).' },
    after: { type: 'string', value: 'id', says: 'Go on after this one.' },
    json,
  },
  async run(values) {
    if (!values.project) throw new UsageError('Say --project <slug>.');
    const limit = readCount('limit', values.limit, 100);
    await using entered = await enterDatabase();
    const { db } = entered;
    const { project } = await authorise(db, commandLine, 'images.read', { project: values.project });
    const page = await listImages(db, {
      projectId: project.id,
      className: values.class,
      text: values.text,
      after: values.after,
      limit,
    });
    const images = page.images.map(factsOf);
    print(values.json, { images, next: page.next, total: page.total }, () =>
      [
        table(['id', 'class', 'size', 'name'], images.map(row), 'There are no pictures.'),
        ...(page.next ? [`… of ${page.total}; go on with --after ${page.next}`] : []),
      ].join('\n'),
    );
    return 0;
  },
});

const row = (image: ReturnType<typeof factsOf>): string[] => [
  image.id,
  image.className ?? '–',
  `${image.width}×${image.height}`,
  image.name,
];
