import type { Metadata } from 'next';
import { PlainPage } from './_shell/plain-page';
import { ButtonLink } from './_ui/button';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <PlainPage>
      <div>
        <h1 className="text-xl font-semibold">There is no such page</h1>
        <p className="mt-1 text-ink-2">
          It was moved or deleted, or your account may not see it. Check the address, or ask the curator of
          the project for access.
        </p>
      </div>
      <div>
        <ButtonLink href="/" variant="primary">
          Go to your home page
        </ButtonLink>
      </div>
    </PlainPage>
  );
}
