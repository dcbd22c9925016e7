// Copyright the ITKCudaFilters contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudafilters_Supervisor_h
#define cudafilters_Supervisor_h

#include <functional>
#include <string>

/** Runs the work in a process of its own. Some libraries of image formats do not survive a broken file or a full disk;
 * when the work dies, or is interrupted, this process says so in one line and cleans up. Returns the status to exit
 * with.
 */
int
RunSupervised(const std::function<int()> & work);

/** Says, in the work's process, what would be wrong if it died now: "cannot read 'x.png'". */
void
SetPhase(const std::string & phase);

/** Names a folder that is to go when the work dies, one of a few; or that is gone. */
void
AddFolderToRemove(const std::string & folder);
void
ForgetFolder(const std::string & folder);

#endif
