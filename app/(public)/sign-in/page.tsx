import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { currentActor } from '@/lib/services/access/page';
import { localPath } from '../local-path';
import { SignInForm } from './sign-in-form';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('title') };
}

export default async function SignIn({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = localPath((await searchParams).next);
  if (await currentActor()) redirect(next);
  const t = await getTranslations('signIn');
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">{t('title')}</h1>
      <SignInForm next={next} />
      <p className="text-xs text-ink-3">{t('hint')}</p>
    </>
  );
}
