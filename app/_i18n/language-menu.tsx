'use client';

import { Languages } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { Menu, MenuItem } from '@/app/_ui/menu';
import { type Locale, languages, locales } from '@/lib/core/i18n/locales';
import { chooseLanguage } from './choose-language';

interface LanguageMenuProps {
  locale: string;
  /** "Language", in the language of the page. */
  label: string;
}

/** Every language by its own name, so that it is found by who cannot read the page. */
export function LanguageMenu({ locale, label }: LanguageMenuProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const choose = (next: Locale) =>
    startTransition(async () => {
      await chooseLanguage(next);
      router.refresh();
    });
  const name = languages[locale as Locale] ?? locale;
  return (
    <Menu
      align="end"
      trigger={
        <Button
          variant="quiet"
          pending={pending}
          icon={<Languages aria-hidden />}
          aria-label={`${label}: ${name}`}
        >
          <span className="max-sm:sr-only">{name}</span>
        </Button>
      }
    >
      {locales.map((each) => (
        <MenuItem key={each} checked={each === locale} onSelect={() => choose(each)}>
          <span lang={each}>{languages[each]}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
