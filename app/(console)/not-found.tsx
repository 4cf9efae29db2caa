import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { Page, PageHeader } from '@/app/_ui/page-header';

export const metadata: Metadata = { title: 'Not found' };

/** Beside the navigation, so that there is a way on. */
export default function NotFound() {
  return (
    <Page>
      <PageHeader
        title="Page not found"
        description="It was moved or deleted, or your account may not see it. Check the address, or ask the curator of the project for access."
        action={
          <ButtonLink href="/" variant="primary">
            Go to your home page
          </ButtonLink>
        }
      />
    </Page>
  );
}
