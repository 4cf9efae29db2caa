'use server';

import { redirect } from 'next/navigation';
import { askAuth } from './ask-auth';

export async function signOut(): Promise<void> {
  await askAuth('/sign-out', {});
  redirect('/sign-in');
}
