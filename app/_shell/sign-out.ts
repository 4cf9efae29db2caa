'use server';

import { redirect } from 'next/navigation';
import { action } from '@/app/_actions/action';
import { askAuth } from './ask-auth';

export const signOut = action([], async (): Promise<void> => {
  await askAuth('/sign-out', {});
  redirect('/sign-in');
});
