import { formatCount } from '@/lib/format';
import { endOtherSessions } from './actions';
import { RevokeButton } from './revoke-button';

export function RevokeOthers({ count }: { count: number }) {
  return (
    <RevokeButton
      label="Sign out everywhere else"
      title="Sign out everywhere else?"
      confirm="Sign out"
      act={endOtherSessions}
    >
      {formatCount(count, 'session')} on other browsers and machines end now. This one stays.
    </RevokeButton>
  );
}
