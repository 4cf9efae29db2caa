import { formats } from '@/lib/core/formats';
import { describeOptions } from '@/lib/services/datasets/exports/open-export';
import { defineCommand, json } from '../command';
import { print, table } from '../terminal';

/** Needs no database: the formats are part of the program. */
export const command = defineCommand({
  options: { json },
  async run(values) {
    const listed = formats.map((format) => ({
      id: format.id,
      name: format.name,
      kind: format.kind,
      summary: format.summary,
      exports: true,
      imports: format.reader !== null,
      options: describeOptions(format),
    }));
    print(values.json, listed, () =>
      table(
        ['id', 'imports', 'summary'],
        listed.map(({ id, imports, summary }) => [id, imports ? 'yes' : 'no', summary]),
        'There are no formats.',
      ),
    );
    return 0;
  },
});
