import { desc, eq } from 'drizzle-orm';
import { database, tables } from '@/db';
import { rival10 } from '@/lib/schema/presets';
import { signBlobUrl } from '@/lib/storage';
import { Preview } from './preview';

export default async function Page() {
  const list = await database().select().from(tables.images).where(eq(tables.images.className, 'bird')).orderBy(desc(tables.images.id)).limit(3);
  const [image] = list;
  if (!image) return null;
  return <Preview schema={rival10} image={{ url: signBlobUrl(image.blob), width: image.width, height: image.height, className: image.className }}
    examples={{ wings: list.slice(1).map((i) => ({ url: signBlobUrl(i.blob), alt: 'a bird', note: 'Both wings' })) }} />;
}
