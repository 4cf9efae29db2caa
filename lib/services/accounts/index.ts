export { acceptInvitation, type NewAccount } from './accept-invitation';
export { createUser, hashPassword, type NewUser } from './create-user';
export {
  createInvitation,
  findInvitation,
  listInvitations,
  type NewInvitation,
  revokeInvitation,
} from './invitations';
export { listUsers, type UserQuery } from './list-users';
export { addMember, listMembers, type Member, removeMember } from './members';
export { myRoles } from './my-roles';
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
export { setPassword } from './set-password';
export { type UserChange, updateUser } from './update-user';
