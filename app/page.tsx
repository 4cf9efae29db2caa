import { redirect } from 'next/navigation';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { homeOf } from '@/lib/services/accounts';

/** Everyone has a home that answers "what now?". */
export default async function Home() {
  redirect(await homeOf(database(), await requireActor()));
}
