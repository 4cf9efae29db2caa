import type { ArchiveLayout } from './archive-sink';
import { centralHeader, endRecords, localHeader, localHeaderSize } from './zip-records';

const TOGETHER = 1000;

export const zipLayout: ArchiveLayout = {
  headerSize: localHeaderSize,
  header: localHeader,
  padding: () => 0,
  *closing(entries, start) {
    let offset = 0;
    let size = 0;
    let pending: Buffer[] = [];
    for (const { path, crc = 0, bytes, end } of entries) {
      const head = centralHeader({ path, crc, bytes, offset });
      pending.push(head);
      size += head.length;
      offset = end;
      if (pending.length < TOGETHER) continue;
      yield Buffer.concat(pending);
      pending = [];
    }
    yield Buffer.concat(pending);
    yield endRecords(entries.length, start, size);
  },
};
