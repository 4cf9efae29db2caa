import { defineCommand } from '../command';
import { ensureBuild } from '../start/build';
import { terminalProgress } from '../terminal';

export const command = defineCommand({
  async run() {
    await ensureBuild(terminalProgress());
    console.log('The build is up to date.');
    return 0;
  },
});
