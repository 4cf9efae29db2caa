/** Users, invitations, passwords and roles. */

export {
  acceptInvitation,
  createInvitation,
  findInvitation,
  listInvitations,
  type NewAccount,
  type NewInvitation,
  revokeInvitation,
} from './invitations';
export { addMember, homeOf, listMembers, type Member, myRoles, removeMember } from './members';
export {
  keepGuideRead,
  keepOwnKeys,
  keepOwnLanguage,
  keepOwnSettings,
  ownKeys,
  ownLanguage,
  ownSettings,
  readGuides,
} from './own-keys';
export {
  emailOfPseudonym,
  emailOfVisitor,
  Pseudonym,
  RealEmail,
  shownAddress,
  signInAddress,
} from './pseudonym';
export {
  createUser,
  hashPassword,
  listUsers,
  type NewUser,
  setPassword,
  type UserChange,
  type UserQuery,
  updateUser,
} from './users';
