import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentActor } from '@/lib/auth/page';
import { localPath } from '../local-path';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignIn({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = localPath((await searchParams).next);
  if (await currentActor()) redirect(next);
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Sign in</h1>
      <SignInForm next={next} />
      <p className="text-xs text-ink-3">
        Accounts are made by invitation. Without one, ask whoever runs this installation or the curator of
        your project for a link.
      </p>
    </>
  );
}
