import { readConfig } from '@/lib/config';
import { defineCommand } from '../command';
import { openDatabase } from '../database/open';

export const command = defineCommand({
  async run() {
    const database = await openDatabase(readConfig());
    try {
      // Late: a database that cannot be opened is told at once.
      const { prepareDatabase } = await import('../database/prepare');
      await prepareDatabase(database.url);
    } finally {
      await database.close();
    }
    console.log(`The database is up to date: ${database.where}`);
    return 0;
  },
});
