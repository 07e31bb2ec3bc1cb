/** An address as messages show it: who may log in there is nobody's to read. */
export const withoutPassword = (text: string): string => text.replaceAll(/(\/\/[^/\s:@]*):\S*@/g, "$1:***@");
