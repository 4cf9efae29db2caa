import { readConfig } from '@/lib/config';
import { defineCommand } from '../command';
import { openDatabase } from '../database/open';
import { prepareDatabase } from '../database/prepare';

export const command = defineCommand({
  async run() {
    const database = await openDatabase(readConfig());
    try {
      await prepareDatabase(database.url);
    } finally {
      await database.close();
    }
    console.log(`The database is up to date: ${database.where}`);
    return 0;
  },
});
