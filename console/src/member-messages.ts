/** Texts about members, and about who is signed in. */
export const MEMBERS = {
  title: "Members",
  note: "People of the organization. They have no password: they sign in with a link, or with your identity provider.",
  none: "No members yet",
  noneText: "Add people, so that nobody has to share a key.",
  add: "Add member",
  email: "Email address",
  role: "Role",
  roles: {
    owner: "everything",
    admin: "everything, except what is only for owners",
    writer: "read, search, write and delete",
    reader: "read and search",
  },
  never: "never",
  removed: "removed",
  unasked: "This answer belongs to no sign-in of this tab. Sign in again.",
  link: "Sign-in link",
  linkTitle: "New sign-in link",
  linkText: "A link that was made before ends.",
  linkOnce:
    "Send this link to the person alone. It signs in whoever opens it first, within seven days, and is not shown again.",
  change: "Change role",
  changeText: "Counts at the next request, also for the clients that the member has connected.",
  remove: "Remove",
  removeTitle: "Remove member",
  removeText:
    "The member and the clients that they have connected cannot do anything from the next request on. Keys that they have created stay.",
  switchOrganization: {
    title: "Switch organization?",
    text: "The link signs in to another organization. Switch only if you made the link yourself, or trust who sent it.",
    from: "Signed in to",
    to: "The link signs in to",
    stay: "Stay",
    accept: "Switch",
  },
} as const;
