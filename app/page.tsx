import { redirect } from 'next/navigation';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { homeOf } from '@/lib/services/accounts';

/** Redirects to the home page of the user: offers of work for workers, projects for everyone else. */
export default async function Home() {
  redirect(await homeOf(database(), await requireActor()));
}
