import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PlainPage } from './_shell/plain-page';
import { ButtonLink } from './_ui/button';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('errors'))('notFoundTitle') };
}

export default async function NotFound() {
  const t = await getTranslations('errors');
  return (
    <PlainPage>
      <div>
        <h1 className="text-xl font-semibold">{t('notFoundTitle')}</h1>
        <p className="mt-1 text-ink-2">{t('notFoundText')}</p>
      </div>
      <div>
        <ButtonLink href="/" variant="primary">
          {t('home')}
        </ButtonLink>
      </div>
    </PlainPage>
  );
}
