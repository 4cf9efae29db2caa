import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('signedInTitle') };
}

/** Where a worker lands who signed in again in a second window, in the middle of an item. */
export default async function SignedInAgain() {
  const t = await getTranslations('signIn');
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{t('signedInTitle')}</h1>
      <p className="text-ink-2">{t('signedInText')}</p>
    </>
  );
}
